import { formatMoney } from '@/lib/money';
import { Money } from '../ui/money';

/** Dimensions in SVG units. The drawing stretches to its frame, so only their ratio matters. */
const height = 100;
const step = 10;
const gap = 2.4;

const hairline = 'stroke-line [vector-effect:non-scaling-stroke]';

/** The amounts of one period, in USD cents, in the order of the series. */
export type ChartBar = { key: string; label: string; amounts: readonly number[] };

/** A figure of every period. Without a fill its bars have the accent color, and negative ones are red. */
type ChartSeries = { name: string; className?: string };

type BarChartProps = {
  bars: readonly ChartBar[];
  series: readonly ChartSeries[];
  /** The chart in words. It is a single image to assistive technology, so a table beside it must have the same data. */
  label: string;
};

/** A server-rendered bar chart of amounts by period. With several series, each has a bar in every period, and a legend. */
export function BarChart({ bars, series, label }: BarChartProps) {
  const amounts = bars.flatMap((bar) => bar.amounts);
  const top = Math.max(0, ...amounts);
  const bottom = Math.min(0, ...amounts);
  const span = top - bottom || 1;
  const y = (amountCents: number) => ((top - amountCents) / span) * height;
  const width = (step - gap) / series.length;
  const title = (bar: ChartBar) =>
    series.length === 1
      ? `${bar.label}: ${formatMoney(bar.amounts[0] ?? 0, 'USD')}`
      : `${bar.label}: ${series.map(({ name }, index) => `${name} ${formatMoney(bar.amounts[index] ?? 0, 'USD')}`).join(', ')}`;
  return (
    <figure>
      <div className="flex flex-wrap justify-between gap-x-4 text-subtle text-xs">
        <Money amountMinor={top} />
        {series.length > 1 ? <Legend series={series} /> : null}
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length * step} ${height}`}
        preserveAspectRatio="none"
        className="mt-1 h-44 w-full overflow-visible"
      >
        {[0, height / 2].map((line) => (
          <line
            key={line}
            x1="0"
            x2={bars.length * step}
            y1={line}
            y2={line}
            strokeDasharray="3 4"
            className={hairline}
          />
        ))}
        {bars.map((bar, index) => (
          <g key={bar.key} className="group/bar">
            {/* The full column is the hover target, so that low bars can be reached. */}
            <rect
              x={index * step}
              width={step}
              height={height}
              className="fill-transparent group-hover/bar:fill-sunken"
            >
              <title>{title(bar)}</title>
            </rect>
            {bar.amounts.map((amountCents, place) => (
              <rect
                key={series[place]?.name}
                x={index * step + gap / 2 + place * width}
                width={width}
                y={Math.min(y(amountCents), y(0))}
                height={Math.abs(y(amountCents) - y(0))}
                className={`pointer-events-none ${amountCents < 0 ? 'fill-red' : (series[place]?.className ?? 'fill-accent')}`}
              />
            ))}
          </g>
        ))}
        <line x1="0" x2={bars.length * step} y1={y(0)} y2={y(0)} className={`${hairline} stroke-line-strong`} />
      </svg>
      <div aria-hidden="true" className="mt-1.5 flex justify-between text-subtle text-xs">
        <span>{bars.at(0)?.label}</span>
        <span>{bars.at(Math.floor(bars.length / 2))?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <span aria-hidden="true" className="flex gap-4">
      {series.map(({ name, className = 'fill-accent' }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <svg viewBox="0 0 8 8" className={`size-2 ${className}`} aria-hidden="true">
            <rect width="8" height="8" rx="1" />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}
