import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type ListingMetric, listingMetrics, type TypedSource } from '@/db/enums';
import { domainFigures } from '@/db/schema/domain-figures';
import type { SiteFigureSources } from '@/db/schema/sites';
import type { SiteRow } from '@/lib/sites/views';
import { today } from './rank';
import type { FigureRow } from './record';

/** The field of each figure of a listing. */
const figureFields = {
  dr: 'dr',
  da: 'da',
  as: 'authorityScore',
  traffic: 'traffic',
  keywords: 'keywordsCount',
  ref_domains: 'refDomains',
  spam: 'spam',
} as const satisfies Record<ListingMetric, keyof SiteRow>;

export type FigureField = (typeof figureFields)[ListingMetric];
type Figures = { [Field in FigureField]?: number | null | undefined };

const figureNames: readonly string[] = Object.values(figureFields);

/** Checks whether a field of a listing is a figure, which comes from the figures of its domain. */
export const isFigureField = (name: string): name is FigureField => figureNames.includes(name);

/** Returns the figures that a change of a listing sets. */
export const listChangedFigures = (before: Figures, after: Figures): Figures =>
  Object.fromEntries(
    Object.values(figureFields).flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name]]])),
  );

/** Returns the known figures of a new listing apart from its other fields. */
export function splitFigures<Fields extends Figures>(fields: Fields) {
  const { dr, da, authorityScore, traffic, keywordsCount, refDomains, spam, ...others } = fields;
  const all: Figures = { dr, da, authorityScore, traffic, keywordsCount, refDomains, spam };
  const figures: Figures = Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'number'));
  return { figures, others };
}

/** Returns the current day, as figures have it. */
const currentDay = (): string => new Date().toISOString().slice(0, 10);

/** Returns the sources of figures that were typed on a day, today by default. */
export function sourceFigures(figures: Figures, source: TypedSource, asOf = currentDay()): SiteFigureSources {
  const known = listingMetrics.filter((metric) => typeof figures[figureFields[metric]] === 'number');
  return Object.fromEntries(known.map((metric) => [metric, { source, asOf }]));
}

/**
 * Returns the rows of figures that a person typed for a listing. Null removes a figure; absent ones have no row. Staff also
 * remove what the seller typed, of this listing only: other sellers of the domain keep their figures.
 */
export function toFigureRows(
  { id: siteId, domain }: Pick<SiteRow, 'id' | 'domain'>,
  figures: Figures,
  source: TypedSource,
  asOf = currentDay(),
): FigureRow[] {
  return listingMetrics.flatMap((metric) => {
    const value = figures[figureFields[metric]];
    if (value === undefined) return [];
    const row = { domain, metric, value, asOf };
    return [
      ...(source === 'staff' ? [{ ...row, source }] : []),
      ...(source === 'seller' || value === null ? [{ ...row, source: 'seller' as const, siteId }] : []),
    ];
  });
}

/**
 * Returns the fields of an edit without the figures that it only repeats: of a seller, those that the seller typed last,
 * although a better figure is shown; of staff, those that they typed today. On a later day, a figure of staff is a newer
 * one, which may be better than an old measured one.
 */
export async function omitRepeatedFigures<Changes extends Figures>(
  tx: Executor,
  site: FiguresOf,
  changes: Changes,
  source: TypedSource,
): Promise<Changes> {
  const metrics = listChangedMetrics(site, changes);
  if (metrics.length === 0) return changes;
  if (source === 'seller') return omitTypedFigures(site, changes, await readTypedFigures(tx, [site.id]));
  const rows = await tx
    .selectDistinctOn([domainFigures.metric], {
      metric: domainFigures.metric,
      value: domainFigures.value,
      isToday: sql<boolean>`${domainFigures.asOf} = ${today}`,
    })
    .from(domainFigures)
    .where(
      and(
        isNull(domainFigures.siteId),
        eq(domainFigures.domain, site.domain),
        eq(domainFigures.source, 'staff'),
        inArray(domainFigures.metric, metrics),
      ),
    )
    .orderBy(domainFigures.metric, desc(domainFigures.asOf), desc(domainFigures.id));
  return omitValues(changes, metrics, new Map(rows.flatMap((row) => (row.isToday ? [[row.metric, row.value]] : []))));
}

type FiguresOf = Pick<SiteRow, 'id' | 'domain' | FigureField>;

/** The figures that sellers typed last, by listing and metric. */
export type TypedFigures = ReadonlyMap<number, ReadonlyMap<string, number | null>>;

/** Reads the figures that sellers typed last for their listings. */
export async function readTypedFigures(tx: Executor, siteIds: readonly number[]): Promise<TypedFigures> {
  const typed = new Map<number, Map<string, number | null>>();
  if (siteIds.length === 0) return typed;
  const { siteId, metric, value, asOf, id } = domainFigures;
  const rows = await tx
    .selectDistinctOn([siteId, metric], { siteId, metric, value })
    .from(domainFigures)
    .where(inArray(siteId, [...siteIds]))
    .orderBy(siteId, metric, desc(asOf), desc(id));
  for (const row of rows) {
    if (row.siteId === null) continue;
    const ofSite = typed.get(row.siteId) ?? new Map<string, number | null>();
    typed.set(row.siteId, ofSite.set(row.metric, row.value));
  }
  return typed;
}

/** Returns the fields of a seller's edit without the figures that it only repeats. */
export const omitTypedFigures = <Changes extends Figures>(
  site: FiguresOf,
  changes: Changes,
  typed: TypedFigures,
): Changes => omitValues(changes, listChangedMetrics(site, changes), typed.get(site.id));

/** Lists the metrics whose shown figure an edit would change. */
const listChangedMetrics = (site: FiguresOf, changes: Figures): ListingMetric[] =>
  listingMetrics.filter((metric) => {
    const value = changes[figureFields[metric]];
    return value !== undefined && value !== site[figureFields[metric]];
  });

/** Omits the figures of `metrics` that have a known value. */
function omitValues<Changes extends Figures>(
  changes: Changes,
  metrics: readonly ListingMetric[],
  known: ReadonlyMap<string, number | null> = new Map(),
): Changes {
  const repeated = metrics.filter((metric) => known.get(metric) === changes[figureFields[metric]]);
  return { ...changes, ...Object.fromEntries(repeated.map((metric) => [figureFields[metric], undefined])) };
}
