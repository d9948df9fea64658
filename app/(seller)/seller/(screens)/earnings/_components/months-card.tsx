import Link from 'next/link';
import { BarChart } from '@/components/dashboard/bar-chart';
import { type ChartColumn, ChartTable } from '@/components/dashboard/chart-table';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { formatMonth, formatShortMonth } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import type { MoneyMonth } from '@/lib/earnings/statement';
import { formatUsd } from '@/lib/money';

const shownMonths = 12;

/** Returns the last twelve months (UTC), the oldest first; those without entries too. */
function listMonths(months: readonly MoneyMonth[], now: Date): MoneyMonth[] {
  const known = new Map(months.map((row) => [row.month, row]));
  let availableCents = 0;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - shownMonths + 1, 1));
  const before = months.find(({ month }) => month < first.toISOString().slice(0, 7));
  availableCents = before?.availableCents ?? 0;
  return Array.from({ length: shownMonths }, (_, index) => {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index, 1)).toISOString().slice(0, 7);
    const row = known.get(month);
    availableCents = row?.availableCents ?? availableCents;
    return row ?? { month, earnedCents: 0, returnedCents: 0, ripenedCents: 0, paidOutCents: 0, availableCents };
  });
}

const columns: readonly [header: string, cents: (row: MoneyMonth) => number][] = [
  ['Earned', (row) => row.earnedCents - row.returnedCents],
  ['Became available', (row) => row.ripenedCents],
  ['Paid out', (row) => row.paidOutCents],
  ['Available at the end', (row) => row.availableCents],
];

/** Shows what was earned and paid out in each of the last twelve months, as a chart and as a table. */
export function MonthsCard({ months, now = new Date() }: { months: readonly MoneyMonth[]; now?: Date }) {
  const shown = listMonths(months, now);
  const bars = shown.map((row) => ({
    key: row.month,
    label: formatShortMonth(row.month),
    amounts: [row.earnedCents - row.returnedCents, row.paidOutCents],
  }));
  const sum = (cents: (row: MoneyMonth) => number) => shown.reduce((total, row) => total + cents(row), 0);
  const earned = sum((row) => row.earnedCents - row.returnedCents);
  const paidOut = sum((row) => row.paidOutCents);
  return (
    <Card>
      <CardHeader title="Last twelve months" description="Earned and paid out by month (UTC)" />
      <CardBody>
        <BarChart
          bars={bars}
          series={[{ name: 'Earned' }, { name: 'Paid out', className: 'fill-green' }]}
          label={`Earned and paid out by month. In twelve months ${formatUsd(earned)} was earned and ${formatUsd(paidOut)} was paid out.`}
        />
        <ChartTable
          caption="Earnings by month"
          rowHeader="Month"
          rowName={(row) => (
            <Link
              prefetch={false}
              href={`/seller/earnings/statement?month=${row.month}`}
              className="rounded-sm py-0.5 text-accent-ink hover:underline"
            >
              {formatMonth(row.month)}
            </Link>
          )}
          rowKey={(row) => row.month}
          columns={columns.map(
            ([header, centsOf]): ChartColumn<MoneyMonth> => [header, (row) => <Money amountMinor={centsOf(row)} />],
          )}
          rows={shown.toReversed()}
        />
      </CardBody>
    </Card>
  );
}
