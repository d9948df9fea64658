import type { ListedFigures } from '@/lib/sites/listed-figures';

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** How far the catalogue reaches, metric by metric; nothing to boast of before the first site is on sale. */
export function MetricFigures({ figures }: { figures: ListedFigures }) {
  const { sites, topDa, topDr, topTraffic, topKeywords } = figures;
  const metrics = [
    { name: 'DA', top: topDa },
    { name: 'DR', top: topDr },
    { name: 'Traffic', top: topTraffic },
    { name: 'Keywords', top: topKeywords },
  ].filter(({ top }) => top > 0);
  if (metrics.length === 0) {
    return <p className="max-w-md text-muted">Every site is listed with them, before you order.</p>;
  }
  return (
    <>
      <dl className="grid auto-cols-fr grid-flow-col divide-x divide-line rounded-lg border border-line bg-surface py-3">
        {metrics.map(({ name, top }) => (
          <div key={name} className="px-4">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="mt-1 font-medium text-base text-ink tabular-nums">{short.format(top)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-xs">
        {sites === 1
          ? 'Of the one site on sale now.'
          : `The highest among ${sites.toLocaleString('en-US')} sites on sale now.`}
      </p>
    </>
  );
}
