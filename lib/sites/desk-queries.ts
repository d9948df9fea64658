import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { users } from '../../db/schema/users';
import type { Reader } from '../../db/snapshot';
import { toDecimalString } from '../money';
import { csvLine } from '../platform/csv';
import type { Page } from '../platform/http/fields';
import { countQuery, countSites, type SiteCount } from './catalogue/count-listed';
import { siteCondition } from './catalogue/filter-sql';
import type { DeskFilter, DeskQuery, DeskSortKey } from './desk-schemas';
import { siteNotFound } from './lock';
import type { AdminSiteRow } from './views';

const columns = { ...getTableColumns(sites), ownerName: users.name, ownerEmail: users.email };
export type DeskSiteRow = AdminSiteRow & { ownerEmail: string };

const sortColumns = {
  added: sites.id,
  name: sites.name,
  dr: sites.dr,
  traffic: sites.traffic,
  price: sites.publicPriceUsdCents,
  status: sites.status,
} as const satisfies Record<DeskSortKey, unknown>;

const notDeleted = isNull(sites.deletedAt);

function deskCondition({ status, userId, ...filter }: DeskFilter): SQL | undefined {
  return and(
    notDeleted,
    siteCondition(filter),
    status && eq(sites.status, status),
    userId ? eq(sites.ownerId, userId) : undefined,
  );
}

/** Returns the ORDER BY expressions. Unknown values come last in both directions; the id breaks ties. */
function deskOrder({ key, order }: DeskQuery['sort']): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  // Without `nulls last`, PostgreSQL reads this order from the primary key instead of sorting the table.
  if (key === 'added') return [direction(sites.id)];
  return [sql`${direction(sortColumns[key])} nulls last`, desc(sites.id)];
}

/** The limit of the count in the Guest Post Manager's list. */
export const deskCountCap = 10_000;

export type DeskPage = Page<DeskSiteRow> & SiteCount & { goesOn: boolean };

/** Lists the sites of the Guest Post Manager: every site that is not deleted, newest first unless sorted. */
export async function listDeskSites(query: DeskQuery): Promise<DeskPage> {
  // Reads one row more than the limit to detect a further page.
  const found = await deskPageQuery(query, query.limit + 1);
  const goesOn = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  // The last page determines the total without a count.
  const isEnd = !goesOn && (rows.length > 0 || query.offset === 0);
  const counted = isEnd
    ? { total: query.offset + rows.length, isCapped: false }
    : await countSites(deskCondition(query), deskCountCap);
  return { rows, goesOn, ...counted };
}

/** The statements of the list, for tests of their query plans. */
export const deskStatements = {
  page: (query: DeskQuery) => deskPageQuery(query, query.limit + 1),
  count: (filter: DeskFilter) => countQuery(deskCondition(filter), deskCountCap),
  countries: () => distinctValues(sites.country, notDeleted),
  owners: () => distinctValues(sites.ownerId, notDeleted),
};

function deskPageQuery(query: DeskQuery, limit: number) {
  return db()
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(deskCondition(query))
    .orderBy(...deskOrder(query.sort))
    .limit(limit)
    .offset(query.offset);
}

/** Lists the next sites of a filtered list in id order, to read all of it in batches. */
async function listDeskSitesAfter(
  filter: DeskFilter,
  afterId: number,
  limit: number,
  on: Reader = db(),
): Promise<DeskSiteRow[]> {
  return on
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(deskCondition(filter), gt(sites.id, afterId)))
    .orderBy(asc(sites.id))
    .limit(limit);
}

/** @throws AppError not_found, also for a deleted site */
export async function getAnySite(id: number, executor: Executor = db()): Promise<DeskSiteRow> {
  const [site] = await executor
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(eq(sites.id, id), notDeleted));
  if (!site) throw siteNotFound(id);
  return site;
}

/** The maximum number of owners in the filter. */
const maxOwners = 500;

/** Lists the owners of sites by name, for the owner filter. */
export async function listSiteOwners(): Promise<{ id: string; name: string; email: string }[]> {
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, sql`(${deskStatements.owners()})`))
    .orderBy(asc(users.name), asc(users.email))
    .limit(maxOwners);
}

const values = z.array(z.object({ value: z.string() }));

/** Lists the countries of all sites, for the country filter. */
export async function listDeskCountries(): Promise<string[]> {
  return values.parse([...(await db().execute(deskStatements.countries()))]).map(({ value }) => value);
}

/**
 * Builds a query of the distinct values of a column, as one column `value`. Uses a loose index scan: the cost depends on
 * the number of distinct values, not on the number of sites.
 * @param where the predicate of the index that begins with the column
 */
function distinctValues(column: typeof sites.country | typeof sites.ownerId, where: SQL): SQL {
  return sql`
    with recursive step as (
      (select ${column} as value from ${sites} where ${where} order by ${column} limit 1)
      union all
      select (select ${column} from ${sites} where ${where} and ${column} > step.value order by ${column} limit 1)
      from step where step.value is not null
    )
    select value from step where value is not null`;
}

const batchSize = 1_000;

const price = (cents: number | null) => (cents === null ? '' : toDecimalString(cents));

/** The export's columns, with headers that the import recognizes. */
const exportColumns: readonly [header: string, cell: (site: DeskSiteRow) => string | number | null][] = [
  ['ID', (site) => site.id],
  ['Name', (site) => site.name],
  ['URL', (site) => site.url],
  ['DR', (site) => site.dr],
  ['DA', (site) => site.da],
  ['AS', (site) => site.authorityScore],
  ['Traffic', (site) => site.traffic],
  ['Spam', (site) => site.spam],
  ['Keywords', (site) => site.keywordsCount],
  ['Ref Domains', (site) => site.refDomains],
  ['Language', (site) => site.language],
  ['Country', (site) => site.country],
  ['Niche', (site) => site.niche],
  ['Post Type', (site) => site.postType],
  ['Follow Type', (site) => site.followType],
  ['Words', (site) => site.words],
  ['TAT', (site) => site.tat],
  ['Price', (site) => price(site.sellerPriceCents)],
  ['Admin Price', (site) => price(site.adminPriceCents)],
  ['Public Price', (site) => price(site.publicPriceCents)],
  ['Currency', (site) => site.publicCurrency],
  ['Status', (site) => site.status],
  ['Owner', (site) => site.ownerName],
  ['Owner Email', (site) => site.ownerEmail],
];

/** Streams the filtered list as CSV (RFC 4180) in batches. */
export async function* exportSites(filter: DeskFilter, on?: Reader): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(exportColumns.map(([header]) => header))}`;
  let rows: DeskSiteRow[];
  let afterId = 0;
  do {
    rows = await listDeskSitesAfter(filter, afterId, batchSize, on);
    afterId = rows.at(-1)?.id ?? afterId;
    if (rows.length > 0) yield rows.map((site) => csvLine(exportColumns.map(([, cell]) => cell(site)))).join('');
  } while (rows.length === batchSize);
}
