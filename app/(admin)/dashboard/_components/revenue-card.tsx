import { BarChart, type ChartBar } from '@/components/dashboard/bar-chart';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import type { Revenue, RevenueSums } from '@/lib/dashboard/admin';
import { formatMoney } from '@/lib/money';

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
  const bars = days.map((one) => ({ key: one.day, label: label(one.day), amounts: [cents(one)] }));
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
        <BarChart bars={bars} series={[{ name: figure }]} label={describeBars(bars, figure)} />
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

/** The chart in words: its best day. */
function describeBars(bars: readonly ChartBar[], figure: string): string {
  const top = Math.max(0, ...bars.flatMap(({ amounts }) => amounts));
  const best = bars.find(({ amounts: [amount] }) => amount === top && top > 0);
  return best
    ? `${figure} per day. The best day was ${best.label} with ${formatMoney(top, 'USD')}.`
    : `${figure} per day. No ${figure.toLowerCase()}.`;
}
