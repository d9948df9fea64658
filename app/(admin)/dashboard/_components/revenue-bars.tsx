import { Money } from '@/components/ui/money';
import { formatMoney } from '@/lib/money';

export type RevenueBar = { day: string; label: string; amountCents: number };

/** Units of the drawing; it is stretched to the card, so only their proportion to each other counts. */
const height = 100;
const step = 10;
const gap = 2.4;

/** A bar a day, drawn on the server. The table beside it says the same in words, so this is one picture. */
export function RevenueBars({ bars }: { bars: RevenueBar[] }) {
  const amounts = bars.map((bar) => bar.amountCents);
  const top = Math.max(0, ...amounts);
  const bottom = Math.min(0, ...amounts);
  const span = top - bottom || 1;
  const y = (amountCents: number) => ((top - amountCents) / span) * height;
  const best = bars.find((bar) => bar.amountCents === top && top > 0);
  const words = best
    ? `Revenue per day. The best day was ${best.label} with ${formatMoney(top, 'USD')}.`
    : 'Revenue per day. There was none.';
  return (
    <figure>
      <div className="flex justify-between text-subtle text-xs">
        <Money amountMinor={top} />
      </div>
      <svg
        role="img"
        aria-label={words}
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
        {bars.map(({ day, label, amountCents }, index) => (
          <g key={day} className="group/bar">
            {/* The whole column answers to the pointer, not only a low bar. */}
            <rect
              x={index * step}
              width={step}
              height={height}
              className="fill-transparent group-hover/bar:fill-sunken"
            >
              <title>{`${label}: ${formatMoney(amountCents, 'USD')}`}</title>
            </rect>
            <rect
              x={index * step + gap / 2}
              width={step - gap}
              y={Math.min(y(amountCents), y(0))}
              height={Math.abs(y(amountCents) - y(0))}
              className={`pointer-events-none ${amountCents < 0 ? 'fill-red' : 'fill-accent'}`}
            />
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

const hairline = 'stroke-line [vector-effect:non-scaling-stroke]';
