import { type FigureSource, type ListingMetric, listingMetrics, type TypedSource, typedSources } from '@/db/enums';
import type { SiteFigureSources } from '@/db/schema/sites';
import { dayMs } from '@/lib/platform/durations';
import { formatMetric, sourceNames } from './source-names';

/** Where a figure comes from. */
type Origin = { source: FigureSource; asOf: string };

/** The attributes of an element that shows a figure; `components/ui/ui.css` has the styles of the classes. */
export type FigureNote = { title: string; className?: 'typed' | 'old' | 'typed old' };

/** Figures older than this are shown in grey. */
const oldAfterDays = 90;

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day (YYYY-MM-DD). @example formatFigureDay('2026-11-20') // "Nov 20, 2026" */
const formatFigureDay = (asOf: string): string => dayFormat.format(new Date(asOf));

export const isOldFigure = (asOf: string): boolean =>
  Math.floor(Date.now() / dayMs) - Date.parse(asOf) / dayMs > oldAfterDays;

const isTypedSource = (source: FigureSource): boolean => typedSources.some((typed) => typed === source);

/**
 * Describes where a figure comes from: "Domain Rating by Ahrefs, Nov 20, 2026".
 * @param isOwn whether the reader is the seller
 */
export function describeOrigin({ source, asOf }: Origin, isOwn = false): string {
  const words = isOwn && source === 'seller' ? 'typed by you' : sourceNames[source].attribution;
  return `${words}, ${formatFigureDay(asOf)}`;
}

/** Returns the tooltip and the marks of a figure. */
export function noteFigure(origin: Origin, isOwn = false): FigureNote {
  const words = describeOrigin(origin, isOwn);
  const [isOld, isTyped] = [isOldFigure(origin.asOf), isTypedSource(origin.source)];
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}${isOld ? ` (older than ${oldAfterDays} days)` : ''}`;
  if (!isOld && !isTyped) return { title };
  return { title, className: isOld && isTyped ? 'typed old' : isOld ? 'old' : 'typed' };
}

/** What buyers see instead of a form's figures, as texts by metric. */
export type ShownFigures = { readonly [Metric in ListingMetric]?: string };

/**
 * Says which figures buyers see that differ from what a form saves, by metric: those that a form's author does not enter.
 * @param author whose figures the form saves
 */
export function describeShownFigures(
  sources: SiteFigureSources,
  figures: { readonly [Metric in ListingMetric]?: number | null },
  author: TypedSource,
): ShownFigures {
  return Object.fromEntries(
    listingMetrics.flatMap((metric) => {
      const [origin, value] = [sources[metric], figures[metric]];
      if (!origin || value === null || value === undefined || origin.source === author) return [];
      return [[metric, `Buyers see ${formatMetric(metric, value)}: ${describeOrigin(origin)}`]];
    }),
  );
}
