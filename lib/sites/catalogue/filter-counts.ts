import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { onReplica, type Reading } from '@/db/replicas';
import { sites } from '@/db/schema/sites';
import { listSpellings, splitSearchWords } from '@/lib/network/search-words';
import { findBlocked } from '@/lib/projects/blocked-domains';
import { findLinked } from '@/lib/projects/linked-domains/find-linked';
import { isAtVersion } from './catalogue-version';
import { isListed, rangeColumns, withCountryNames, withLanguageNames } from './filter-sql';
import { countSites } from './listed-sites';
import type { CatalogueBuyer } from './personal';
import { findStop, type RangeKey, rangeStops } from './range-stops';
import type { SiteFilter } from './schemas';

const optionCounts = z.array(z.object({ value: z.string(), sites: z.int() }));
const bars = z.array(z.int());

/** GET /api/guest-posts/counts. */
export const filterCountsResponse = z
  .object({
    sites: z.int().describe('The number of sites that match all filters.'),
    isApproximate: z.boolean().describe('Whether the numbers are estimated from a sample of the catalog.'),
    niche: optionCounts,
    country: optionCounts,
    language: optionCounts,
    followType: optionCounts,
    ranges: z
      .object({ dr: bars, da: bars, traffic: bars, price: bars, spam: bars, tat: bars })
      .describe('The number of sites in each bar of a histogram.'),
    stops: z
      .object({ dr: bars, da: bars, traffic: bars, price: bars, spam: bars, tat: bars })
      .describe(
        'The limits of the bars: a bar is from one number up to the next, the last one without an upper limit.',
      ),
  })
  .meta({ title: 'SiteCounts' });
export type FilterCounts = z.output<typeof filterCountsResponse>;

/** The largest catalogue that is counted whole, and the size of the sample of a larger one. */
export const sampleSize = 5_000;
/** How long a sample is used although the catalogue has changed, in milliseconds. */
const sampleTtlMs = 60_000;

type SampleRow = Awaited<ReturnType<typeof selectSampled>>[number];
type Sample = { rows: readonly SampleRow[]; isWhole: boolean; total: number };

let cached: { version: string; at: number; sample: Promise<Sample>; isWhole: boolean } | undefined;

/**
 * Counts the listed sites for each option and each bar of the filters: an option's number is what the list would have
 * with this filter changed to it and all others as they are. A catalogue of up to 5,000 sites is counted exactly, at its
 * current version. Of a larger one, the numbers are estimated from a random sample that is at most a minute old, and
 * options that the sample does not contain are left out. The cost does not depend on the size of the catalogue.
 * @param version the current version of the catalogue
 */
export async function countByFilter(filter: SiteFilter, buyer: CatalogueBuyer, version: string): Promise<FilterCounts> {
  const { rows, ...sample } = await getSample(version);
  const isInList = await selectForBuyer(rows, filter, buyer);
  return countSample({ ...sample, drawn: rows.length, rows: isInList ? rows.filter(isInList) : rows }, filter);
}

/** Evaluates `buildBuyerCondition` for sampled sites; undefined if the buyer's list is that of every buyer. */
async function selectForBuyer(
  rows: readonly SampleRow[],
  { projectId, hideLinked, blocked }: SiteFilter,
  { accountId, hasBlocks }: CatalogueBuyer,
): Promise<((row: SampleRow) => boolean) | undefined> {
  const hidesLinked = hideLinked === '1' && projectId !== undefined;
  if (!hasBlocks && !blocked && !hidesLinked) return undefined;
  const domains = rows.map(({ domain }) => domain);
  const [blockedOnes, linked] = await Promise.all([
    findBlocked({ accountId, projectId }, domains),
    hidesLinked ? findLinked(projectId, domains) : new Map<string, unknown>(),
  ]);
  return ({ domain }) => blockedOnes.has(domain) === (blocked === '1') && !linked.has(domain);
}

/** Returns the sample in this process. Concurrent calls share one query. */
async function getSample(version: string): Promise<Sample> {
  const isFresh = cached && !cached.isWhole && Date.now() - cached.at < sampleTtlMs;
  if (cached && (cached.version === version || isFresh)) return cached.sample;
  // Until the size is known, as the previous one: a large catalog is not drawn again for each change meanwhile.
  const sample = onReplica({ proof: isAtVersion(version) }, readSample);
  const entry = { version, at: Date.now(), sample, isWhole: cached?.isWhole ?? true };
  cached = entry;
  try {
    const sample = await entry.sample;
    entry.isWhole = sample.isWhole;
    return sample;
  } catch (thrown) {
    if (cached === entry) cached = undefined;
    throw thrown;
  }
}

async function readSample(on: Reading): Promise<Sample> {
  const { total, isCapped } = await countSites(isListed, sampleSize, on);
  if (!isCapped) return { rows: await selectSampled(on, sql`true`), isWhole: true, total };
  const [rows, [statistics]] = await Promise.all([
    selectSampled(on, isDrawn),
    // The planner's statistics, as counting a million rows takes a second.
    on.execute(sql`select reltuples::double precision as total from pg_class
      where oid = 'sites_listed_added_idx'::regclass`),
  ]);
  const known = z.object({ total: z.number() }).parse(statistics).total;
  return { rows, isWhole: false, total: Math.max(known, sampleSize) };
}

/** Each drawn id selects the next listed site, by two lookups in `sites_listed_added_idx` and the primary key. */
const isDrawn = sql`${sites.id} in (
  select (select near.id from sites near
    where near.status = 'Approved' and near.public_price_usd_cents is not null and near.deleted_at is null
      and near.paused_at is null and near.id >= drawn.id
    order by near.id limit 1)
  from (
    select (ends.low + floor(random() * (ends.high - ends.low + 1)))::integer as id
    from (select min(id) as low, max(id) as high from sites where ${isListed}) ends, generate_series(1, ${sampleSize}::int)
  ) drawn)`;

const selectSampled = (on: Reading, where: SQL) =>
  on
    .select({
      text: sites.searchText,
      domain: sites.domain,
      niche: sites.niche,
      country: sites.country,
      language: sites.language,
      postType: sites.postType,
      followType: sites.followType,
      isDrMeasured: sites.isDrMeasured,
      isTrafficMeasured: sites.isTrafficMeasured,
      ownership: sites.ownership,
      ...rangeColumns,
    })
    .from(sites)
    .where(sql`${isListed} and ${where}`)
    .limit(sampleSize);

const optionKeys = ['niche', 'country', 'language', 'followType'] as const;
const rangeKeys = ['dr', 'da', 'traffic', 'price', 'spam', 'tat'] as const;
type OptionKey = (typeof optionKeys)[number];
type Dimension = OptionKey | RangeKey;

/** Makes one value for each range. */
const mapRanges = <Value>(make: (key: RangeKey) => Value): Record<RangeKey, Value> => ({
  dr: make('dr'),
  da: make('da'),
  traffic: make('traffic'),
  price: make('price'),
  spam: make('spam'),
  tat: make('tat'),
});

function countSample({ rows, isWhole, total, drawn }: Sample & { drawn: number }, filter: SiteFilter): FilterCounts {
  const words = splitSearchWords(filter.q).map((word) => listSpellings(word.toLowerCase()));
  const conditions = listConditions(filter);
  const options: Record<OptionKey, Map<string, number>> = {
    niche: new Map(),
    country: new Map(),
    language: new Map(),
    followType: new Map(),
  };
  const ranges = mapRanges((key) => rangeStops[key].slice(1).map(() => 0));
  const addOption = (row: SampleRow, key: OptionKey) =>
    options[key].set(row[key], (options[key].get(row[key]) ?? 0) + 1);
  const addFigure = (row: SampleRow, key: RangeKey) => {
    const figure = key === 'price' && row.price !== null ? row.price / 100 : row[key];
    if (figure === null) return;
    const bar = Math.min(findStop(key, figure), ranges[key].length - 1);
    ranges[key][bar] = (ranges[key][bar] ?? 0) + 1;
  };
  let matched = 0;
  for (const row of rows) {
    if (filter.postType && row.postType !== filter.postType) continue;
    if (filter.measured && !filter.measured.every((metric) => isMeasured(row, metric))) continue;
    if (filter.owner && row.ownership !== 'owner') continue;
    if (!words.every((spellings) => spellings.some((word) => row.text?.includes(word)))) continue;
    const failed = conditions.filter(({ matches }) => !matches(row));
    if (failed.length === 0) matched += 1;
    // With one failed condition, the site counts for the other values of that filter only.
    const counts = (key: Dimension) => failed.every(({ dimension }) => dimension === key);
    for (const key of optionKeys) if (counts(key)) addOption(row, key);
    for (const key of rangeKeys) if (counts(key)) addFigure(row, key);
  }
  const scale = (sampled: number) => (isWhole ? sampled : estimate(sampled, total / drawn));
  const toList = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([value, sampled]) => ({ value, sites: scale(sampled) }));
  return {
    sites: scale(matched),
    isApproximate: !isWhole,
    niche: toList(options.niche),
    country: toList(options.country),
    language: toList(options.language),
    followType: toList(options.followType),
    ranges: mapRanges((key) => ranges[key].map(scale)),
    stops: mapRanges((key) => [...rangeStops[key]]),
  };
}

const isMeasured = (row: SampleRow, metric: 'dr' | 'traffic') =>
  metric === 'dr' ? row.isDrMeasured : row.isTrafficMeasured;

/** Extrapolates a sampled number, with two significant digits, as more would suggest a precision it lacks. */
const estimate = (sampled: number, factor: number) => Number((sampled * factor).toPrecision(2));

/** The values of a filter, with the catalog's spelling of each. */
const withKnownNames = {
  niche: (values: readonly string[] | undefined) => values,
  country: withCountryNames,
  language: withLanguageNames,
};

/** Lists the conditions of a filter by dimension, as `siteCondition` has them in SQL: an unknown figure fails. */
function listConditions(filter: SiteFilter): { dimension: Dimension; matches: (row: SampleRow) => boolean }[] {
  const isOneOf = (key: 'niche' | 'country' | 'language') => {
    const values = withKnownNames[key](filter[key]);
    return values ? [{ dimension: key, matches: (row: SampleRow) => values.includes(row[key]) }] : [];
  };
  const isWithin = (key: RangeKey, low: number | undefined, high: number | undefined) =>
    low === undefined && high === undefined
      ? []
      : [
          {
            dimension: key,
            matches: ({ [key]: figure }: SampleRow) =>
              figure !== null && figure >= (low ?? -Infinity) && figure <= (high ?? Infinity),
          },
        ];
  const { followType } = filter;
  return [
    ...isOneOf('niche'),
    ...isOneOf('country'),
    ...isOneOf('language'),
    ...(followType
      ? [{ dimension: 'followType' as const, matches: (row: SampleRow) => row.followType === followType }]
      : []),
    ...isWithin('dr', filter.minDr, filter.maxDr),
    ...isWithin('da', filter.minDa, filter.maxDa),
    ...isWithin('traffic', filter.minTraffic, filter.maxTraffic),
    ...isWithin('price', filter.minPrice, filter.maxPrice),
    ...isWithin('spam', filter.minSpam, filter.maxSpam),
    ...isWithin('tat', filter.minTat, filter.maxTat),
  ];
}
