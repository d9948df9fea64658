import { cn } from '@/components/ui/cn';
import { describeOrigin, isOldFigure } from '@/lib/sites/domain-figures/describe-figure';
import { formatMetric, metricNames } from '@/lib/sites/domain-figures/source-names';
import type { Figure } from '@/lib/sites/responses';

/** Renders the figures of a site, each with its source and day; old ones are grey. */
export function SiteFigures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return <p className="text-muted text-sm">No figures are known for this site.</p>;
  return (
    <section aria-label="Figures">
      <dl className="divide-y divide-line rounded-lg border border-line text-sm">
        {figures.map(({ metric, value, source, asOf }) => (
          <div
            key={metric}
            className={cn(
              'grid grid-cols-[minmax(0,2fr)_minmax(4.5rem,auto)_minmax(0,3fr)] items-baseline gap-x-3 px-3 py-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(4.5rem,auto)_13.75rem]',
              isOldFigure(asOf) ? 'text-subtle' : 'text-ink',
            )}
          >
            <dt className="text-muted">{metricNames[metric]}</dt>
            <dd className="text-right font-medium tabular-nums">{formatMetric(metric, value)}</dd>
            <dd className="text-subtle text-xs">{describeOrigin({ source, asOf })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
