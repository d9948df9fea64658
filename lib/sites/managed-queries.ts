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
import { siteNotFoundError } from './lock';
import type { ManagedSitesFilter, ManagedSitesQuery, ManagedSortKey } from './managed-schemas';
import type { AdminSiteRow } from './views';

const columns = { ...getTableColumns(sites), ownerName: users.name, ownerEmail: users.email };
export type ManagedSiteRow = AdminSiteRow & { ownerEmail: string };

const sortColumns = {
  added: sites.id,
  name: sites.name,
  dr: sites.dr,
  traffic: sites.traffic,
  price: sites.publicPriceUsdCents,
  status: sites.status,
} as const satisfies Record<ManagedSortKey, unknown>;

const notDeleted = isNull(sites.deletedAt);

function managedCondition({ status, userId, ...filter }: ManagedSitesFilter): SQL | undefined {
  return and(
    notDeleted,
    siteCondition(filter),
    status && eq(sites.status, status),
    userId ? eq(sites.ownerId, userId) : undefined,
  );
}

/** Returns the ORDER BY expressions. Unknown values come last in both directions; the id breaks ties. */
function managedOrder({ key, order }: ManagedSitesQuery['sort']): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  // Without `nulls last`, PostgreSQL reads this order from the primary key instead of sorting the table.
  if (key === 'added') return [direction(sites.id)];
  return [sql`${direction(sortColumns[key])} nulls last`, desc(sites.id)];
}

/** The limit of the count in the Guest Post Manager's list. */
export const managedCountCap = 10_000;

export type ManagedSitesPage = Page<ManagedSiteRow> & SiteCount & { hasMore: boolean };

/** Lists the sites of the Guest Post Manager: every site that is not deleted, newest first unless sorted. */
export async function listManagedSites(query: ManagedSitesQuery): Promise<ManagedSitesPage> {
  // Reads one row more than the limit to detect a further page.
  const found = await selectManagedPage(query, query.limit + 1);
  const hasNextPage = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  // The last page determines the total without a count.
  const isEnd = !hasNextPage && (rows.length > 0 || query.offset === 0);
  const counted = isEnd
    ? { total: query.offset + rows.length, isCapped: false }
    : await countSites(managedCondition(query), managedCountCap);
  return { rows, hasMore: hasNextPage, ...counted };
}

/** The statements of the list, for tests of their query plans. */
export const managedStatements = {
  page: (query: ManagedSitesQuery) => selectManagedPage(query, query.limit + 1),
  count: (filter: ManagedSitesFilter) => countQuery(managedCondition(filter), managedCountCap),
  countries: () => selectDistinctValues(sites.country, notDeleted),
  owners: () => selectDistinctValues(sites.ownerId, notDeleted),
};

function selectManagedPage(query: ManagedSitesQuery, limit: number) {
  return db()
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(managedCondition(query))
    .orderBy(...managedOrder(query.sort))
    .limit(limit)
    .offset(query.offset);
}

/** Lists the next sites of a filtered list in id order, to read all of it in batches. */
async function listManagedSitesAfter(
  filter: ManagedSitesFilter,
  afterId: number,
  limit: number,
  on: Reader = db(),
): Promise<ManagedSiteRow[]> {
  return on
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(managedCondition(filter), gt(sites.id, afterId)))
    .orderBy(asc(sites.id))
    .limit(limit);
}

/** @throws AppError not_found, also for a deleted site */
export async function getManagedSite(id: number, executor: Executor = db()): Promise<ManagedSiteRow> {
  const [site] = await executor
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(eq(sites.id, id), notDeleted));
  if (!site) throw siteNotFoundError(id);
  return site;
}

/** The maximum number of owners in the filter. */
const maxOwners = 500;

/** Lists the owners of sites by name, for the owner filter. */
export async function listSiteOwners(): Promise<{ id: string; name: string; email: string }[]> {
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, sql`(${managedStatements.owners()})`))
    .orderBy(asc(users.name), asc(users.email))
    .limit(maxOwners);
}

const values = z.array(z.object({ value: z.string() }));

/** Lists the countries of all sites, for the country filter. */
export async function listManagedCountries(): Promise<string[]> {
  return values.parse([...(await db().execute(managedStatements.countries()))]).map(({ value }) => value);
}

/**
 * Builds a query of the distinct values of a column, as one column `value`. Uses a loose index scan: the cost depends on
 * the number of distinct values, not on the number of sites.
 * @param where the predicate of the index that begins with the column
 */
function selectDistinctValues(column: typeof sites.country | typeof sites.ownerId, where: SQL): SQL {
  return sql`
    with recursive step as (
      (select ${column} as value from ${sites} where ${where} order by ${column} limit 1)
      union all
      select (select ${column} from ${sites} where ${where} and ${column} > step.value order by ${column} limit 1)
      from step where step.value is not null
    )
    select value from step where value is not null`;
}

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 250;

const price = (cents: number | null) => (cents === null ? '' : toDecimalString(cents));

/** The export's columns, with headers that the import recognizes. */
const exportColumns: readonly [header: string, cell: (site: ManagedSiteRow) => string | number | null][] = [
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
export async function* exportSites(filter: ManagedSitesFilter, on?: Reader): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(exportColumns.map(([header]) => header))}`;
  let rows: ManagedSiteRow[];
  let afterId = 0;
  do {
    rows = await listManagedSitesAfter(filter, afterId, batchSize, on);
    afterId = rows.at(-1)?.id ?? afterId;
    if (rows.length > 0) yield rows.map((site) => csvLine(exportColumns.map(([, cell]) => cell(site)))).join('');
  } while (rows.length === batchSize);
}
