import type { ReactNode } from 'react';
import { BarChart } from '@/components/dashboard/bar-chart';
import { ChartTable } from '@/components/dashboard/chart-table';
import { withParams } from '@/components/table/url';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { trendPercent } from '@/lib/dashboard/admin';
import {
  addUp,
  getTakeRate,
  type MarketplaceFigures,
  type MarketplaceSums,
  type Period,
} from '@/lib/dashboard/marketplace-figures';
import { formatUsd } from '@/lib/money';
import { formatDay } from './days';
import { entriesPath, textsOf } from './figure-texts';
import { LineLink } from './position-view';

type Figure = {
  label: string;
  definition: string;
  /** The figure whose list it opens. */
  list?: string;
  show: (sums: MarketplaceSums) => ReactNode;
  /** The value that is compared: dollars or a number; null if the figure has none. */
  comparedBy: (sums: MarketplaceSums) => number | null;
};

const money = (list: string, centsOf: (sums: MarketplaceSums) => number): Figure => ({
  ...textsOf(list),
  list,
  show: (sums) => <Money amountMinor={centsOf(sums)} />,
  comparedBy: (sums) => centsOf(sums) / 100,
});
const count = (list: string, countOf: (sums: MarketplaceSums) => number): Figure => ({
  ...textsOf(list),
  list,
  show: (sums) => countOf(sums).toLocaleString('en-US'),
  comparedBy: countOf,
});

const figures: readonly Figure[] = [
  money('gmv', ({ gmvCents }) => gmvCents),
  {
    ...count('gmv', ({ orders }) => orders),
    label: 'Orders',
    definition: 'The orders that were placed in the period.',
  },
  money('refunds', ({ refundsCents }) => refundsCents),
  money('revenue', ({ marginCents }) => marginCents),
  money('earned', ({ earnedCents }) => earnedCents),
  {
    label: 'Take rate',
    definition: 'The margin as a part of the margin and what sellers earned, in the period.',
    show: (sums) => formatRate(getTakeRate(sums)),
    // A change of a percentage in percent would be misread.
    comparedBy: () => null,
  },
  {
    ...count('late', ({ late }) => late),
    show: ({ late, due }) => `${late.toLocaleString('en-US')} of ${due.toLocaleString('en-US')}`,
  },
  count('lost', ({ lost }) => lost),
];

const formatRate = (rate: number | null) => (rate === null ? '–' : `${rate.toFixed(1)}%`);

/** Shows the figures of a period beside those of the period before, and sales by day or month. */
export function MarketplaceView({ found, period }: { found: MarketplaceFigures; period: Period }) {
  const { before } = found;
  const range = (one: Period) =>
    one.from === one.to ? formatDay(one.from) : `${formatDay(one.from)} – ${formatDay(one.to)}`;
  return (
    <div className="grid gap-4">
      <Card>
        <CardHeader title={range(period)} description={`Compared with ${range(before)}. Amounts in USD.`} />
        <ul className="divide-y divide-line">
          {figures.map(({ label, definition, list, show, comparedBy }) => (
            <li key={label}>
              <LineLink
                line={{
                  label,
                  definition,
                  href: list && withParams(entriesPath, {}, { figure: list, ...period }),
                }}
              >
                <span className="shrink-0 text-right">
                  <span className="block font-medium text-ink tabular-nums">{show(found.period)}</span>
                  <span className="flex justify-end gap-2 text-muted text-xs tabular-nums">
                    <span>
                      <span className="sr-only">Before: </span>
                      {show(before)}
                    </span>
                    <Change value={comparedBy(found.period)} before={comparedBy(before)} />
                  </span>
                </span>
              </LineLink>
            </li>
          ))}
        </ul>
      </Card>
      <SalesCard found={found} />
    </div>
  );
}

/** Shows the change in percent; nothing if the earlier value is too small to compare. */
function Change({ value, before }: { value: number | null; before: number | null }) {
  const percent = value === null || before === null ? null : trendPercent(value, before);
  if (percent === null || percent === 0) return null;
  const icon = percent < 0 ? 'trending-down' : 'trending-up';
  return (
    <span className="inline-flex items-center gap-1">
      <Icon name={icon} className="size-3" />
      <span className="sr-only">{percent < 0 ? 'down' : 'up'}</span>
      {Math.abs(percent).toLocaleString('en-US')}%
    </span>
  );
}

/** Up to this number of days, each has a bar; a longer period has a bar for each month. */
const mostBars = 62;
const monthName = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', timeZone: 'UTC' });

/** Shows GMV by day or month as a chart, and all figures as a table. */
function SalesCard({ found: { days } }: { found: MarketplaceFigures }) {
  const isByDay = days.length <= mostBars;
  const groups = isByDay
    ? days.map((one) => ({ ...one, key: one.day, label: formatDay(one.day) }))
    : [...new Set(days.map(({ day }) => day.slice(0, 7)))].map((key) => ({
        ...addUp(days.filter(({ day }) => day.startsWith(key))),
        key,
        label: monthName.format(new Date(`${key}-01T00:00:00Z`)),
      }));
  const unit = isByDay ? 'day' : 'month';
  const top = groups.reduce(
    (best, one) => (one.gmvCents > best.gmvCents ? one : best),
    groups[0] ?? { gmvCents: 0, label: '' },
  );
  const summary = top.gmvCents > 0 ? `The best was ${top.label} with ${formatUsd(top.gmvCents)}.` : 'No sales.';
  return (
    <Card>
      <CardHeader title={`GMV by ${unit}`} description="UTC, in USD" />
      <CardBody>
        <BarChart
          bars={groups.map(({ key, label, gmvCents }) => ({ key, label, amounts: [gmvCents] }))}
          series={[{ name: 'GMV' }]}
          label={`GMV by ${unit}. ${summary}`}
        />
        <ChartTable
          caption={`Figures by ${unit}`}
          rowHeader={isByDay ? 'Day' : 'Month'}
          rowName={({ key, label }) => <time dateTime={key}>{label}</time>}
          rowKey={({ key }) => key}
          columns={figures.map(({ label, show }) => [label, show] as const)}
          rows={groups.toReversed()}
        />
      </CardBody>
    </Card>
  );
}
