import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { selectDistinctValues } from '@/db/distinct-values';
import { rejectionReasons } from '@/db/enums';
import { auditLogs } from '@/db/schema/audit';
import { siteStatuses, sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { CursorPage } from '@/lib/id-cursor';
import { currencies, toDecimalString } from '@/lib/money';
import { csvLine } from '@/lib/platform/csv';
import { siteCondition } from './catalogue/filter-sql';
import { siteNotFoundError } from './lock';
import type { ManagedSitesFilter, ManagedSitesQuery } from './managed-schemas';
import { getCountedSitePage, getSitePage, statusList } from './site-page';
import type { AdminSiteRow } from './views';

const columns = { ...getTableColumns(sites), ownerName: users.name, ownerEmail: users.email };
type ManagedSiteRow = AdminSiteRow & { ownerEmail: string };

const notDeleted = isNull(sites.deletedAt);

function managedCondition({
  status,
  userId,
  niche,
  country,
  ownership,
  ...filter
}: ManagedSitesFilter): SQL | undefined {
  const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return and(
    siteCondition({ ...filter, niche: one(niche), country: one(country) }),
    statusList(status).where,
    userId ? eq(sites.ownerId, userId) : undefined,
    ownership && (ownership === 'none' ? isNull(sites.ownership) : eq(sites.ownership, ownership)),
  );
}

type ManagedSitesPage = CursorPage<ManagedSiteRow> & CappedCount;

/** Lists the sites of Guest Posts: every site that is not deleted, newest first unless sorted. */
export function listManagedSites({
  sort,
  limit,
  offset,
  cursor,
  ...filter
}: ManagedSitesQuery): Promise<ManagedSitesPage> {
  const { isUnlisted } = statusList(filter.status);
  const list = { where: managedCondition(filter), isSearch: filter.q !== undefined, isUnlisted, sort };
  return getCountedSitePage(list, { limit, offset, cursor }, readManagedSites);
}

/** Counts the sites that match a filter, up to a cap. */
export const countManagedSites = (filter: ManagedSitesFilter): Promise<CappedCount> =>
  countRows(sites, and(notDeleted, managedCondition(filter)));

/** Finds the newest sites whose name or URL contains a text. */
export async function findManagedSites(q: string, limit: number): Promise<ManagedSiteRow[]> {
  const list = { where: managedCondition({ q }), isSearch: true, sort: { key: 'added', order: 'desc' } } as const;
  return (await getSitePage(list, { limit }, readManagedSites)).rows;
}

const readManagedSites = (where: SQL, orderBy: SQL) =>
  db().select(columns).from(sites).innerJoin(users, eq(users.id, sites.ownerId)).where(where).orderBy(orderBy);

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
    .where(and(notDeleted, managedCondition(filter), gt(sites.id, afterId)))
    .orderBy(asc(sites.id))
    .limit(limit);
}

/** Returns a site for staff. @throws AppError not_found, also for a deleted site */
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

/**
 * Lists up to 500 owners of sites by name, for the owner filter.
 * @param chosenId an owner to list in addition
 */
export async function listSiteOwners(chosenId = ''): Promise<{ id: string; name: string; email: string }[]> {
  const owners = selectDistinctValues(sites, sites.ownerId, notDeleted, maxOwners);
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, sql`((${owners}) union all select ${chosenId})`))
    .orderBy(asc(users.name), asc(users.email));
}

const maxCountries = 1_000;
const values = z.array(z.object({ value: z.string() }));

/** Lists the countries of all sites, for the country filter. */
export async function listManagedCountries(): Promise<string[]> {
  return values
    .parse([...(await db().execute(selectDistinctValues(sites, sites.country, notDeleted, maxCountries)))])
    .map(({ value }) => value);
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
  ['TAT', (site) => site.tat.toLowerCase()],
  ['Sample Posts', (site) => site.samplePosts.replaceAll('\n', ' ')],
  ['Rules', (site) => site.rules],
  ['Price', (site) => price(site.sellerPriceCents)],
  ['Admin Price', (site) => price(site.adminPriceCents)],
  ['Public Price', (site) => price(site.publicPriceCents)],
  ['Currency', (site) => site.publicCurrency],
  ['Status', (site) => site.status],
  ['Owner', (site) => site.ownerName],
  ['Owner Email', (site) => site.ownerEmail],
  ['Ownership', (site) => site.ownership],
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

const state = z
  .object({
    status: z.enum(siteStatuses),
    sellerPriceCents: z.number().nullable(),
    adminPriceCents: z.number().nullable(),
    publicPriceCents: z.number().nullable(),
    publicCurrency: z.enum(currencies),
    rejectionReason: z.enum(rejectionReasons).nullable(),
    rejectionNote: z.string(),
    isFulfilledByStaff: z.boolean(),
  })
  .partial()
  .catch({});

export type SiteState = z.output<typeof state>;
export type SiteHistoryEntry = { id: number; at: Date; by: string; before: SiteState; after: SiteState };

/** Lists the changes of a site's status, prices and of who fulfills its orders, newest first. Other edits appear only in the audit log. */
export async function listSiteHistory(siteId: number, limit = 50): Promise<SiteHistoryEntry[]> {
  const rows = await db()
    .select({
      id: auditLogs.id,
      at: auditLogs.timestamp,
      by: auditLogs.user,
      before: auditLogs.before,
      after: auditLogs.after,
    })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'site'), eq(auditLogs.entityId, String(siteId))))
    .orderBy(desc(auditLogs.id))
    .limit(limit);
  return rows
    .map(({ before, after, ...entry }) => ({
      ...entry,
      before: state.parse(before ?? {}),
      after: state.parse(after ?? {}),
    }))
    .filter(({ after }) => Object.keys(after).length > 0);
}
