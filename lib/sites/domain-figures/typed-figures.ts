import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
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
  site: Pick<SiteRow, 'id' | 'domain' | FigureField>,
  changes: Changes,
  source: TypedSource,
): Promise<Changes> {
  const metrics = listingMetrics.filter((metric) => {
    const value = changes[figureFields[metric]];
    return value !== undefined && value !== site[figureFields[metric]];
  });
  if (metrics.length === 0) return changes;
  const typed: SQL | undefined =
    source === 'seller'
      ? eq(domainFigures.siteId, site.id)
      : and(isNull(domainFigures.siteId), eq(domainFigures.domain, site.domain), eq(domainFigures.source, 'staff'));
  const rows = await tx
    .selectDistinctOn([domainFigures.metric], {
      metric: domainFigures.metric,
      value: domainFigures.value,
      isToday: sql<boolean>`${domainFigures.asOf} = ${today}`,
    })
    .from(domainFigures)
    .where(and(typed, inArray(domainFigures.metric, metrics)))
    .orderBy(domainFigures.metric, desc(domainFigures.asOf), desc(domainFigures.id));
  const newest = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.metric, row]));
  const repeated = metrics.filter((metric) => {
    const row = newest.get(metric);
    return row && row.value === changes[figureFields[metric]] && (source === 'seller' || row.isToday);
  });
  return { ...changes, ...Object.fromEntries(repeated.map((metric) => [figureFields[metric], undefined])) };
}
