import { and, asc, desc, eq, gte, lt, ne, type SQL } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import {
  type MarketplaceRow,
  marketplaceRow,
  type PublicSiteRow,
  type SiteDetail,
  siteDetailView,
} from '@/lib/sites/views';
import { isListed } from './listed';
import { listedColumns } from './listed-page';

/** Finds a listed site with its details; null for a site that is not on sale. */
export async function findListedSite(id: number): Promise<SiteDetail | null> {
  const [row] = await db()
    .select({
      ...listedColumns,
      samplePosts: sites.samplePosts,
      rules: sites.rules,
      figuresUpdatedAt: sites.figuresUpdatedAt,
      figuresSource: sites.figuresSource,
    })
    .from(sites)
    .where(and(isListed, eq(sites.id, id)));
  return row ? siteDetailView(row) : null;
}

/** The number of sites that are compared, on each side of the price. */
const compared = 60;

/**
 * Lists the sites of the same niche and post type whose price and DR are nearest, the most similar first. Compares the
 * 60 next cheaper and the 60 next dearer ones, read along sites_listed_niche_idx, so the cost does not depend on the size
 * of the catalogue.
 */
export async function listSimilarSites(
  { id, niche, postType, usdCents, dr }: Pick<SiteDetail, 'id' | 'niche' | 'postType' | 'usdCents' | 'dr'>,
  limit: number,
): Promise<MarketplaceRow[]> {
  const price = sites.publicPriceUsdCents;
  const read = (side: SQL | undefined, direction: typeof asc) =>
    db()
      .select(listedColumns)
      .from(sites)
      .where(and(isListed, eq(sites.niche, niche), eq(sites.postType, postType), side))
      .orderBy(direction(price), direction(sites.id))
      .limit(compared);
  const [cheaper, dearer] = await Promise.all([
    read(lt(price, usdCents), desc),
    read(and(gte(price, usdCents), ne(sites.id, id)), asc),
  ]);
  const distance = (row: PublicSiteRow) => {
    const ratio = Math.abs(Math.log((row.publicPriceUsdCents ?? 1) / Math.max(1, usdCents)));
    // Ten points of DR weigh as much as a price that is a third higher.
    return ratio / Math.log(4 / 3) + (row.dr === null || dr === null ? 3 : Math.abs(row.dr - dr) / 10);
  };
  return [...cheaper, ...dearer]
    .map((row) => ({ row, distance: distance(row) }))
    .filter((one) => one.distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance || one.row.id - other.row.id)
    .slice(0, limit)
    .map(({ row }) => marketplaceRow(row));
}

/** Beyond it a site is not similar: e.g. 40 points of DR at the same price, or the same DR at three times the price. */
const maxDistance = 4;
