import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { Page } from '../../platform/http/fields';
import type { AdminSiteRow, PublicSiteRow } from '../views';
import { countCap, countListed, countSites, type SiteCount } from './count-listed';
import { siteCondition, siteOrder } from './filter-sql';
import { listListedPage } from './listed-page';
import type { SitesQuery } from './schemas';

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
 * @returns the rows of the page, and the total over all pages as `total` requests it; null if it was not counted
 */
export async function listAllSites(query: SitesQuery): Promise<{ rows: AdminSiteRow[]; counted: SiteCount | null }> {
  const list = selectAllSites(query)(db());
  if (query.limit === undefined || query.total === 'none') {
    return { rows: await (query.limit === undefined ? list : list.limit(query.limit)), counted: null };
  }
  const [rows, counted] = await Promise.all([
    list.limit(query.limit),
    countSites(staffCondition(query), query.total === 'capped' ? countCap : undefined),
  ]);
  return { rows, counted };
}

/** Builds the query of `listAllSites` without a limit. */
export const selectAllSites = (query: SitesQuery) => (on: Reader) =>
  on
    .select({ ...getTableColumns(sites), ownerName: users.name })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(staffCondition(query))
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);

const staffCondition = (query: SitesQuery) => and(isNull(sites.deletedAt), siteCondition(query));

const toSinglePage = <Row>(rows: Row[]): Page<Row> => ({ rows, total: rows.length });
