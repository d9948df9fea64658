import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import { sites, siteValue } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { Page } from '@/lib/platform/http/fields';
import { countSiteList, readSitePage } from '@/lib/sites/site-page';
import type { AdminSiteRow, PublicSiteRow } from '@/lib/sites/views';
import { countCap, countListed } from './count-listed';
import { siteCondition, siteOrder, splitSearchWords } from './filter-sql';
import { getSortValue, type ListedRow, listListedPage } from './listed-page';
import type { SitesQuery } from './schemas';
import { encodeCursor } from './site-cursor';

/**
 * Lists the catalogue as buyers see it: approved, priced sites that match; all of them without a limit. Always queries
 * the database; lib/sites/catalogue/catalogue.ts caches.
 * @returns the rows of the page, and the total over all pages
 */
export async function listListedSites(query: SitesQuery): Promise<Page<PublicSiteRow>> {
  if (query.limit === undefined && !query.offset) return toSinglePage((await listListedPage(query)).rows);
  const [{ rows }, { total }] = await Promise.all([listListedPage(query), countListed(query, 'exact')]);
  return { rows, total };
}

/**
 * Lists every site that is not deleted, in every status, with its owner's name; for staff who manage sites.
 * @returns the rows of the page, the cursor of the next page, and the total over all pages up to a cap; null if `total`
 * requests none or without a limit
 */
export async function listAllSites(
  query: SitesQuery,
): Promise<{ rows: (AdminSiteRow & Pick<ListedRow, 'value'>)[]; next: string | null; counted: CappedCount | null }> {
  const { limit, offset, cursor, sort = 'price', order = 'asc' } = query;
  if (limit === undefined) return { rows: await selectAllSites(query)(db()), next: null, counted: null };
  const list = {
    where: siteCondition(query),
    isSearch: splitSearchWords(query.q).length > 0,
    sort: { key: sort, order },
  };
  const at = cursor && { toward: cursor.toward, id: String(cursor.id) };
  const [page, counted] = await Promise.all([
    readSitePage(list, { limit, offset, cursor: at }, (where, orderBy) =>
      selectStaffRows(db()).where(where).orderBy(orderBy),
    ),
    query.total === 'none'
      ? null
      : countSiteList({ ...list, isSplit: true }, db(), query.total === 'capped' ? countCap : undefined),
  ]);
  const last = page.next === null ? undefined : page.rows.at(-1);
  const next = last
    ? encodeCursor({ toward: 'next', sort, order, value: getSortValue(last, sort), id: last.id })
    : null;
  return { rows: page.rows, next, counted };
}

/** Builds the query of `listAllSites` without a limit. */
export const selectAllSites = (query: SitesQuery) => (on: Reader) =>
  selectStaffRows(on)
    .where(and(isNull(sites.deletedAt), siteCondition(query)))
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);

const selectStaffRows = (on: Reader) =>
  on
    .select({ ...getTableColumns(sites), ownerName: users.name, value: siteValue })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId));

const toSinglePage = <Row>(rows: Row[]): Page<Row> => ({ rows, total: rows.length });
