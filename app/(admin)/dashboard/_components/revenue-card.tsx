import { BarChart, type ChartBar } from '@/components/dashboard/bar-chart';
import { type ChartColumn, ChartTable } from '@/components/dashboard/chart-table';
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
        <ChartTable
          caption={`${figure} per day`}
          rowHeader="Day"
          rowName={(one) => <time dateTime={one.day}>{label(one.day)}</time>}
          rowKey={(one) => one.day}
          columns={columns.map(
            ([header, centsOf]): ChartColumn<RevenueSums> => [header, (one) => <Money amountMinor={centsOf(one)} />],
          )}
          rows={days.toReversed()}
        />
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
