import { BarChart } from '@/components/dashboard/bar-chart';
import { type ChartColumn, ChartTable } from '@/components/dashboard/chart-table';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { formatShortMonth } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { type DrSpread, drBands, spreadOrders } from '@/lib/dashboard/buyer-figures';
import { formatUsd } from '@/lib/money';
import type { SpendingMonth } from '@/lib/wallet/spending';

type Figure = readonly [name: string, cents: (month: SpendingMonth) => number];

const spent: Figure = ['Spent', ({ paidCents, returnedCents }) => paidCents - returnedCents];
const withRefunds: readonly Figure[] = [
  ['Paid', ({ paidCents }) => paidCents],
  ['Refunded', ({ returnedCents }) => returnedCents],
];

/** Shows what orders cost in each of the last twelve months, as a chart and a table. Refunds are on their own. */
export function SpendingCard({ months }: { months: readonly SpendingMonth[] }) {
  const hasRefunds = months.some(({ returnedCents }) => returnedCents > 0);
  const figures = hasRefunds ? withRefunds : [spent];
  const columns = hasRefunds ? [...withRefunds, spent] : [spent];
  const sumOf = ([, cents]: Figure) => months.reduce((total, month) => total + cents(month), 0);
  const sums = figures.map((figure) => `${figure[0]} ${formatUsd(sumOf(figure))}`).join(', ');
  const looks = [{}, { className: 'fill-green' }];
  return (
    <Card>
      <CardHeader
        title="Spending by month"
        description={`Orders paid from the wallet${hasRefunds ? ', and refunds to it' : ''} (UTC)`}
        actions={<Money amountMinor={sumOf(spent)} className="font-medium text-ink text-sm" />}
      />
      <CardBody>
        <BarChart
          bars={months.map((month) => ({
            key: month.month,
            label: formatShortMonth(month.month),
            amounts: figures.map(([, cents]) => cents(month)),
          }))}
          series={figures.map(([name], index) => ({ name, ...looks[index] }))}
          label={`Spending by month. In twelve months: ${sums}.`}
        />
        <ChartTable
          caption="Spending by month"
          rowHeader="Month"
          rowName={({ month }) => <time dateTime={month}>{formatShortMonth(month)}</time>}
          rowKey={({ month }) => month}
          columns={columns.map(
            ([name, cents]): ChartColumn<SpendingMonth> => [name, (month) => <Money amountMinor={cents(month)} />],
          )}
          rows={months.toReversed()}
        />
      </CardBody>
    </Card>
  );
}

/** Shows the number of placements by the domain rating of their sites, as a chart and a table; nothing without any. */
export function DrSpreadCard({ spread: { counts, unknown, isCapped } }: { spread: DrSpread }) {
  const rated = counts.reduce((total, count) => total + count, 0);
  if (rated === 0) return null;
  const bands = drBands.map((from, index) => ({
    name: `${from}–${(drBands[index + 1] ?? 101) - 1}`,
    count: counts[index] ?? 0,
  }));
  const top = Math.max(...counts);
  const most = bands.find(({ count }) => count === top);
  const scope = isCapped ? `the newest ${spreadOrders.toLocaleString('en-US')} orders` : 'your orders';
  return (
    <Card>
      <CardHeader title="DR of bought sites" description={`Current domain rating of the sites in ${scope}`} />
      <CardBody>
        <BarChart
          bars={bands.map(({ name, count }) => ({ key: name, label: `DR ${name}`, amounts: [count] }))}
          series={[{ name: 'Placements' }]}
          unit="count"
          label={`Placements by DR. Most of them, ${top.toLocaleString('en-US')}, are on sites with DR ${most?.name}.`}
        />
        <ChartTable
          caption="Placements by DR"
          rowHeader="DR"
          rowName={({ name }) => name}
          rowKey={({ name }) => name}
          columns={[['Placements', ({ count }) => count.toLocaleString('en-US')]]}
          rows={unknown > 0 ? [...bands, { name: 'Unknown', count: unknown }] : bands}
        />
      </CardBody>
    </Card>
  );
}
