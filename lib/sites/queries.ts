import { and, asc, count, eq, getTableColumns, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { users } from '../../db/schema/users';
import type { Page } from '../http/pagination';
import { siteCondition, siteOrder } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';
import type { AdminSiteRow, PublicSiteRow } from './views';

/** What a buyer may read; the seller's price, the margin price and the owner do not leave the database. */
const publicColumns = {
  id: sites.id,
  name: sites.name,
  url: sites.url,
  niche: sites.niche,
  postType: sites.postType,
  country: sites.country,
  language: sites.language,
  followType: sites.followType,
  dr: sites.dr,
  da: sites.da,
  authorityScore: sites.authorityScore,
  spam: sites.spam,
  traffic: sites.traffic,
  keywordsCount: sites.keywordsCount,
  refDomains: sites.refDomains,
  words: sites.words,
  tat: sites.tat,
  tatDays: sites.tatDays,
  publicPriceCents: sites.publicPriceCents,
  publicCurrency: sites.publicCurrency,
  publicPriceUsdCents: sites.publicPriceUsdCents,
  status: sites.status,
};

/**
 * The catalogue as buyers see it: approved, priced sites that match. Without a limit all of them.
 * @returns the rows, and how many match over all pages
 */
export async function listListedSites(query: SitesQuery): Promise<Page<PublicSiteRow>> {
  const where = and(isListed, siteCondition(query));
  const list = db()
    .select(publicColumns)
    .from(sites)
    .where(where)
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);
  if (query.limit === undefined && !query.offset) return all(await list);
  const [rows, counted] = await Promise.all([
    query.limit === undefined ? list : list.limit(query.limit),
    db().select({ total: count() }).from(sites).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Every site that was not deleted, in every status, with its owner's name; for staff who manage sites. */
export async function listAllSites(query: SitesQuery): Promise<Page<AdminSiteRow>> {
  const where = and(isNull(sites.deletedAt), siteCondition(query));
  const list = db()
    .select({ ...getTableColumns(sites), ownerName: users.name })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(where)
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);
  if (query.limit === undefined && !query.offset) return all(await list);
  const [rows, counted] = await Promise.all([
    query.limit === undefined ? list : list.limit(query.limit),
    db().select({ total: count() }).from(sites).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** The countries and languages that listed sites have, for filters. */
export async function listSiteFacets(): Promise<{ countries: string[]; languages: string[] }> {
  const [countries, languages] = await Promise.all([
    db().selectDistinct({ name: sites.country }).from(sites).where(isListed).orderBy(asc(sites.country)),
    db().selectDistinct({ name: sites.language }).from(sites).where(isListed).orderBy(asc(sites.language)),
  ]);
  return { countries: countries.map(({ name }) => name), languages: languages.map(({ name }) => name) };
}

const all = <Row>(rows: Row[]): Page<Row> => ({ rows, total: rows.length });
