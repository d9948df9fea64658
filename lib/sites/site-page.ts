import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap } from '@/db/count-up-to';
import type { IdRange } from '@/db/read-id-page';
import { type ListOrder, readSortedPage } from '@/db/read-sorted-page';
import { awaitingPrice, pausedSites, type SiteStatusFilter, sites, siteValue } from '@/db/schema/sites';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { isListed } from './catalogue/filter-sql';

type SitePageSort = { key: keyof typeof sorts; order: 'asc' | 'desc' };

/** A list of sites in every status, for staff or for an owner. */
export type SiteList = {
  /** The condition besides that the site is not deleted. */
  where: SQL | undefined;
  sort: SitePageSort;
  /** Whether the condition searches name and URL. */
  isSearch: boolean;
  /** Whether it contains another search, whose count stops as early. */
  isSearched?: boolean;
  /** Whether listed and other sites are read separately; the default depends on the order and the search. */
  isSplit?: boolean;
  /** Whether only sites that are not listed match, and the listed ones are not read. */
  isUnlisted?: boolean;
};

/** Returns the condition of a filter by status, and how its list is read. */
export function statusList(status: SiteStatusFilter | undefined): Pick<SiteList, 'where' | 'isUnlisted'> {
  if (status === undefined) return { where: undefined };
  if (status === awaitingPrice) return { where: isAwaitingPrice, isUnlisted: true };
  if (status === pausedSites) return { where: isNotNull(sites.pausedAt), isUnlisted: true };
  return { where: eq(sites.status, status) };
}

/** The sort orders. `isSplit`: the catalogue's indexes have the order for listed sites. */
const sorts = {
  added: { value: undefined, nulls: 'none', isSplit: false },
  status: { value: sites.status, nulls: 'none', isSplit: false },
  spam: { value: sites.spam, nulls: 'last', isSplit: false },
  name: { value: sites.name, nulls: 'none', isSplit: true },
  dr: { value: sites.dr, nulls: 'last', isSplit: true },
  da: { value: sites.da, nulls: 'last', isSplit: true },
  traffic: { value: sites.traffic, nulls: 'last', isSplit: true },
  price: { value: sites.publicPriceUsdCents, nulls: 'excluded', isSplit: true },
  reliability: { value: sites.reliability, nulls: 'last', isSplit: true },
  value: { value: siteValue, nulls: 'last', isSplit: true },
} as const satisfies Record<string, Pick<ListOrder, 'value' | 'nulls'> & { isSplit: boolean }>;

/** Returns the columns from which the value of an order is computed, under their own names. */
const valueColumns = ({ key }: SitePageSort): SQL[] => {
  const { value } = sorts[key];
  if (key === 'value') return [sql`${sites.dr}`, sql`${sites.traffic}`, sql`${sites.publicPriceUsdCents}`];
  return value ? [sql`${value}`] : [];
};

const isPresent = isNull(sites.deletedAt);
/** The condition for approved sites that buyers cannot order, because they have no public price. */
export const isAwaitingPrice = sql<boolean>`(${sites.status} = 'Approved' and ${sites.publicPriceUsdCents} is null)`;
/** The predicate of the index `sites_unlisted_idx`. */
const unlisted = sql`${isPresent} and not (${sites.status} = 'Approved' and ${sites.publicPriceUsdCents} is not null
  and ${sites.pausedAt} is null)`;

/**
 * Reads a page of a list.
 * @param read reads the sites that match a condition, in an order
 */
export function getSitePage<Row extends { id: number }>(
  list: SiteList,
  page: PageRequest,
  read: (where: SQL, orderBy: SQL) => PromiseLike<Row[]>,
): Promise<CursorPage<Row>> {
  const { value, nulls } = sorts[list.sort.key];
  return readSortedPage(
    { id: sites.id, value, nulls, order: list.sort.order, from: sites, where: and(isPresent, list.where) },
    page,
    (range) => {
      // Listed sites have every value that is `excluded`, which the planner does not conclude.
      const isUnlisted = list.isUnlisted || (nulls === 'excluded' && range.isUnknown);
      return read(inArray(sites.id, selectIds({ ...list, isUnlisted }, range)), range.orderBy);
    },
  );
}

/**
 * Reads a page of a list and counts the list, up to 10,000, or to 200 for a search, which may read many sites that do not
 * match. The last page determines the total without a count.
 */
export async function getCountedSitePage<Row extends { id: number }>(
  list: SiteList,
  page: PageRequest,
  read: (where: SQL, orderBy: SQL) => PromiseLike<Row[]>,
): Promise<CursorPage<Row> & CappedCount> {
  const { offset = 0, cursor } = page;
  const found = await getSitePage(list, page, read);
  const isEnd = !cursor && !found.next && (found.rows.length > 0 || offset === 0);
  const counted = isEnd ? { total: offset + found.rows.length, isCapped: false } : await countSiteList(list);
  return { ...found, ...counted };
}

/** Counts a list up to a cap. */
export const countSiteList = ({ where, ...list }: Omit<SiteList, 'sort'>, on?: Executor, cap?: number) =>
  countUpTo(
    (limit) => selectIds({ ...list, sort: { key: 'added', order: 'desc' } }, { where, limit }),
    on,
    cap ?? (list.isSearch || list.isSearched ? searchCountCap : countCap),
  );

/**
 * Selects the ids of a range. Listed sites are read along the catalogue's indexes, also for a search, and merged with the
 * other sites: these are few, and their order is read from one index.
 */
function selectIds(
  { sort, isSearch, isUnlisted = false, isSplit = isSearch || sorts[sort.key].isSplit }: Omit<SiteList, 'where'>,
  { where, orderBy, limit, offset = 0 }: Partial<IdRange> & { limit: number },
): SQL {
  const inOrder = orderBy && sql`order by ${orderBy}`;
  const selected = sql.join([sql`${sites.id}`, ...valueColumns(sort)], sql`, `);
  const select = (part: SQL, end: SQL) =>
    sql`(select ${selected} from ${sites}
      where ${and(part, where)} ${inOrder} ${end})`;
  const end = sql`limit ${limit} offset ${offset}`;
  const isMerged = isSplit && !isUnlisted;
  const ids = isMerged
    ? sql`(${select(isListed, sql`limit ${limit + offset}`)} union all ${select(unlisted, sql`limit ${limit + offset}`)})`
    : select(isUnlisted ? unlisted : isPresent, end);
  return sql`(select ${sites.id} from ${ids} as ${sites} ${inOrder} ${isMerged ? end : undefined})`;
}
