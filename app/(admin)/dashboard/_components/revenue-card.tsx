import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import type { Revenue, RevenueSums } from '@/lib/dashboard/admin';
import { formatMoney } from '@/lib/money';

/** Dimensions in SVG units. The drawing stretches to the card, so only their ratio matters. */
const height = 100;

const step = 10;

const gap = 2.4;

const hairline = 'stroke-line [vector-effect:non-scaling-stroke]';

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const label = (text: string) => day.format(new Date(`${text}T00:00:00Z`));

type RevenueCardProps = {
  revenue: Promise<Revenue>;
  /** Whether sellers have a part of the sales. Otherwise all sales are revenue. */
  showsSellers: boolean;
};

/** The sales of the last 30 days, or the revenue without sellers, as a bar chart and as a table. */
export async function RevenueCard({ revenue, showsSellers }: RevenueCardProps) {
  const { days, recent } = await revenue;
  const figure = showsSellers ? 'Sales' : 'Revenue';
  const cents = (sums: RevenueSums) => (showsSellers ? sums.salesCents : sums.keptCents);
  const bars = days.map((one) => ({ day: one.day, label: label(one.day), amountCents: cents(one) }));
  const columns: readonly [header: string, cents: (sums: RevenueSums) => number][] = showsSellers
    ? [
        [figure, cents],
        ['Paid to sellers', ({ sellersCents }) => sellersCents],
        ['Kept', ({ keptCents }) => keptCents],
      ]
    : [[figure, cents]];
  return (
    <Card>
      <CardHeader
        title={`${figure} per day`}
        description="Orders minus refunds, by order date (UTC)"
        actions={<Money amountMinor={cents(recent)} className="font-medium text-ink text-sm" />}
      />
      <CardBody>
        <RevenueBars bars={bars} figure={figure} />
        <details className="group mt-4 text-sm">
          <summary className="w-fit rounded-sm py-0.5 text-accent-ink hover:underline">
            <span className="group-open:hidden">Show as a table</span>
            <span className="hidden group-open:inline">Hide the table</span>
          </summary>
          <div className="mt-3 rounded-md border border-line">
            <table className="w-full">
              <caption className="sr-only">{figure} per day</caption>
              <thead>
                <tr className="text-muted text-xs">
                  <th scope="col" className="rounded-tl-md bg-sunken px-3 py-2 text-left">
                    Day
                  </th>
                  {columns.map(([header]) => (
                    <th key={header} scope="col" className="bg-sunken px-3 py-2 text-right last:rounded-tr-md">
                      {header}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {days.toReversed().map((one) => (
                  <tr key={one.day}>
                    <th
                      scope="row"
                      className="whitespace-nowrap border-line border-t px-3 py-1.5 text-left font-normal"
                    >
                      <time dateTime={one.day}>{label(one.day)}</time>
                    </th>
                    {columns.map(([header, centsOf]) => (
                      <td key={header} className="border-line border-t px-3 py-1.5 text-right">
                        <Money amountMinor={centsOf(one)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </CardBody>
    </Card>
  );
}

type RevenueBar = { day: string; label: string; amountCents: number };

/**
 * A server-rendered bar chart with one bar a day. It is a single image to assistive technology because the table has
 * the same data.
 */
function RevenueBars({ bars, figure }: { bars: RevenueBar[]; figure: string }) {
  const amounts = bars.map((bar) => bar.amountCents);
  const top = Math.max(0, ...amounts);
  const bottom = Math.min(0, ...amounts);
  const span = top - bottom || 1;
  const y = (amountCents: number) => ((top - amountCents) / span) * height;
  const best = bars.find((bar) => bar.amountCents === top && top > 0);
  const words = best
    ? `${figure} per day. The best day was ${best.label} with ${formatMoney(top, 'USD')}.`
    : `${figure} per day. No ${figure.toLowerCase()}.`;
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
            {/* The full column is the hover target, so that low bars can be reached. */}
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
