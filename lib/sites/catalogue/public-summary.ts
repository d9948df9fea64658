import { asc, count, countDistinct, eq, max, min } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { niches } from '@/db/schema/taxonomy';
import { log } from '@/lib/platform/log/log';
import { findCountry } from '@/lib/taxonomy/find-country';
import { openCatalogue } from './catalogue';
import { isListed } from './filter-sql';

type PublicSummary = Awaited<ReturnType<typeof querySummary>>;

/** What the public catalog says about the listed sites of a niche. Prices are in USD cents. */
export type NicheSummary = PublicSummary['niches'][number];

/** Strangers and search engines read these figures, so the cache limits the queries that they can cause. */
const cacheTtlMs = 10 * 60_000;
/** How long the previous figures are shown after a failed query. */
const retryMs = 60_000;
let cached: { summary: PublicSummary; until: number } | undefined;
let running: Promise<PublicSummary> | undefined;

/** The number of sites on the page of a niche. */
const sampleSize = 20;

/**
 * Returns the figures of the public catalog, at most ten minutes old, or older ones while the database fails. Concurrent
 * calls share one query.
 */
export async function getPublicSummary(): Promise<PublicSummary> {
  if (cached && Date.now() < cached.until) return cached.summary;
  running ??= refreshSummary().finally(() => {
    running = undefined;
  });
  return running;
}

async function refreshSummary(): Promise<PublicSummary> {
  try {
    cached = { summary: await querySummary(), until: Date.now() + cacheTtlMs };
  } catch (thrown) {
    if (!cached) throw thrown;
    log().warn({ err: thrown }, 'The figures of the public catalog were not refreshed.');
    cached = { ...cached, until: Date.now() + retryMs };
  }
  return cached.summary;
}

async function querySummary() {
  const figures = {
    sites: count(),
    countries: countDistinct(sites.country),
    minPriceCents: min(sites.publicPriceUsdCents),
    maxPriceCents: max(sites.publicPriceUsdCents),
    minDr: min(sites.dr),
    maxDr: max(sites.dr),
  };
  const [[all], byNiche] = await Promise.all([
    db().select(figures).from(sites).where(isListed),
    db()
      .select({ niche: sites.niche, ...figures })
      .from(sites)
      // Sellers write other niches freely: only those that staff accepted are shown to strangers.
      .innerJoin(niches, eq(niches.name, sites.niche))
      .where(isListed)
      .groupBy(sites.niche)
      .orderBy(asc(sites.niche)),
  ]);
  const slugs = new Set<string>();
  const listed = byNiche.map(({ minPriceCents, maxPriceCents, ...row }) => ({
    ...row,
    minPriceCents: minPriceCents ?? 0,
    maxPriceCents: maxPriceCents ?? 0,
    // The part of the address: unique, lower case.
    slug: uniqueSlug(row.niche, slugs),
  }));
  return {
    sites: all?.sites ?? 0,
    countries: all?.countries ?? 0,
    topDr: all?.maxDr ?? null,
    // In USD cents; null without a listed site.
    fromCents: all?.minPriceCents ?? null,
    // By number of sites, the largest first.
    niches: listed.sort((one, other) => other.sites - one.sites),
  };
}

/** Makes home-garden of "Home & Garden". A second niche with the same letters gets a number. */
function uniqueSlug(niche: string, claimed: Set<string>): string {
  const base =
    niche
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'other';
  let slug = base;
  for (let number = 2; claimed.has(slug); number += 1) slug = `${base}-${number}`;
  claimed.add(slug);
  return slug;
}

/** Lists the sites of a niche with the highest DR, from the cache of the catalog. */
export async function listPublicSamples(niche: string, showsAddresses: boolean) {
  const catalogue = await openCatalogue();
  const { rows } = await catalogue.page({ niche: [niche], sort: 'dr', order: 'desc', limit: sampleSize });
  return rows.map((row) => ({
    id: row.id,
    name: showsAddresses ? row.name : null,
    url: showsAddresses ? row.url : null,
    dr: row.dr,
    da: row.da,
    traffic: row.traffic,
    figureSources: row.figureSources,
    // Null for a text that names no country: sellers write it freely.
    country: findCountry(row.country) ?? null,
    followType: row.followType,
    priceUsdCents: row.publicPriceUsdCents ?? 0,
  }));
}

/** A listed site without its seller. `name` and `url` are null unless addresses are public. */
export type PublicSample = Awaited<ReturnType<typeof listPublicSamples>>[number];

/** The number of listed sites and the maximum of each metric; 0 for a metric that no site has. */
export type CatalogueStats = Awaited<ReturnType<typeof queryStats>>;

/** Public pages show these figures, so the cache limits the queries that anonymous traffic can cause. */
const statsTtlMs = 10 * 60_000;
let cachedStats: { figures: CatalogueStats; at: number } | undefined;

/** Returns summary figures of the catalogue, at most ten minutes old. */
export async function getCatalogueStats(): Promise<CatalogueStats> {
  if (cachedStats && Date.now() - cachedStats.at < statsTtlMs) return cachedStats.figures;
  const figures = await queryStats();
  cachedStats = { figures, at: Date.now() };
  return figures;
}

async function queryStats() {
  const [row] = await db()
    .select({
      sites: count(),
      topDa: max(sites.da),
      topDr: max(sites.dr),
      topTraffic: max(sites.traffic),
      topKeywords: max(sites.keywordsCount),
    })
    .from(sites)
    .where(isListed);
  return {
    sites: row?.sites ?? 0,
    topDa: row?.topDa ?? 0,
    topDr: row?.topDr ?? 0,
    topTraffic: row?.topTraffic ?? 0,
    topKeywords: row?.topKeywords ?? 0,
  };
}
