import { BarChart } from '@/components/dashboard/bar-chart';
import { type ChartColumn, ChartTable } from '@/components/dashboard/chart-table';
import { formatShortMonth } from '@/components/dashboard/format-month';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { formatMoney } from '@/lib/money';
import type { SpendingMonth } from '@/lib/wallet/spending';

type Figure = readonly [name: string, cents: (month: SpendingMonth) => number];

const spent: Figure = ['Spent', ({ paidCents, returnedCents }) => paidCents - returnedCents];
const withRefunds: readonly Figure[] = [
  ['Paid', ({ paidCents }) => paidCents],
  ['Refunded', ({ returnedCents }) => returnedCents],
];

/** What orders cost in each of the last twelve months, as a chart and as a table. Refunds are shown on their own. */
export function SpendingCard({ months }: { months: readonly SpendingMonth[] }) {
  const hasRefunds = months.some(({ returnedCents }) => returnedCents > 0);
  const figures = hasRefunds ? withRefunds : [spent];
  const columns = hasRefunds ? [...withRefunds, spent] : [spent];
  const sumOf = ([, cents]: Figure) => months.reduce((total, month) => total + cents(month), 0);
  const sums = figures.map((figure) => `${figure[0]} ${formatMoney(sumOf(figure), 'USD')}`).join(', ');
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
