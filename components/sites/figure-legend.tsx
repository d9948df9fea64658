import { measuredSources } from '@/db/enums';
import type { SiteFigureSources } from '@/db/schema/sites';
import { sourceNames } from '@/lib/sites/domain-figures/source-names';

type FigureLegendProps = {
  /** The sources of the figures in each row. */
  rows: readonly SiteFigureSources[];
  /** What shows the source of one figure. */
  hint?: string;
};

/** Explains the marks of the figures in a list, and names the services that measured some of them. */
export function FigureLegend({ rows, hint = 'Open a site' }: FigureLegendProps) {
  const present = new Set(rows.flatMap((of) => Object.values(of).flatMap((origin) => origin?.source ?? [])));
  const measured = measuredSources.filter((source) => present.has(source));
  return (
    <p className="px-3 py-2 text-muted text-xs">
      <span aria-hidden="true">* </span>
      Typed in, not measured. Gray: older than 90 days. {hint} to see the source and day of each figure.
      {measured.length > 0 ? ` Measured: ${measured.map((source) => sourceNames[source].attribution).join(', ')}.` : ''}
    </p>
  );
}
