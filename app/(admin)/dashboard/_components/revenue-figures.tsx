import { CircleDollarSign, FileText, FolderKanban, TrendingDown, TrendingUp, UsersRound } from 'lucide-react';
import { BarChart, type ChartBar } from '@/components/dashboard/bar-chart';
import { type ChartColumn, ChartTable } from '@/components/dashboard/chart-table';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { type Growth, type getGrowth, type Revenue, type RevenueSums, trendPercent } from '@/lib/dashboard/admin';
import { formatUsd } from '@/lib/money';

type Tiles = { growth: ReturnType<typeof getGrowth>; revenue: Promise<Revenue> | null };

/** Shows the summary cards: Users, Projects, Guest Posts and, for who may see it, Revenue. */
export async function FigureTiles({ growth, revenue }: Tiles) {
  const [{ users, projects, sites }, found] = await Promise.all([growth, revenue]);
  return (
    <>
      <StatTile label="Users" value={formatCount(users.all)} hint={newHint(users)} icon={UsersRound} />
      <StatTile label="Projects" value={formatCount(projects.all)} hint={newHint(projects)} icon={FolderKanban} />
      <StatTile label="Guest Posts" value={formatCount(sites.all)} hint={newHint(sites)} icon={FileText} />
      {found ? <RevenueTile {...found} /> : null}
    </>
  );
}

/** Shows what the platform earned in the last 30 days, and links to the money overview. */
function RevenueTile({ recent, before }: Pick<Revenue, 'recent' | 'before'>) {
  return (
    <StatTile
      label="Revenue"
      value={<Money amountMinor={recent.keptCents} />}
      hint={
        <TrendHint text="margin in the last 30 days" recent={recent.keptCents / 100} before={before.keptCents / 100} />
      }
      icon={CircleDollarSign}
      href="/dashboard/features/money?view=marketplace"
    />
  );
}

function newHint({ recent, before }: Growth) {
  return <TrendHint text={`${recent.toLocaleString('en-US')} new in 30 days`} recent={recent} before={before} />;
}

type TrendHintProps = { text: string; recent: number; before: number };

/** Compares the last 30 days with the 30 days before. Omits the comparison if there is too little earlier data. */
function TrendHint({ text, recent, before }: TrendHintProps) {
  const percent = trendPercent(recent, before);
  if (percent === null) return text;
  const falls = percent < 0;
  const Icon = falls ? TrendingDown : TrendingUp;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {text}
      <span
        // biome-ignore lint/a11y/noNoninteractiveTabindex: shows the tooltip to users of a keyboard.
        tabIndex={0}
        data-tooltip="Compared with the previous 30 days"
        className={`inline-flex items-center gap-1 ${falls ? 'text-red-ink' : 'text-green-ink'}`}
      >
        <Icon className="size-3" />
        <span className="sr-only">{falls ? 'down' : 'up'}</span>
        {Math.abs(percent).toLocaleString('en-US')}%<span className="sr-only"> compared with the previous 30 days</span>
      </span>
    </span>
  );
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const label = (text: string) => day.format(new Date(`${text}T00:00:00Z`));

type RevenueCardProps = {
  revenue: Promise<Revenue>;
  /** Whether sellers have a part of the sales. Otherwise all sales are revenue. */
  showsSellers: boolean;
};

/** Shows the sales of the last 30 days, or the revenue without sellers, as a bar chart and as a table. */
export async function RevenueCard({ revenue, showsSellers }: RevenueCardProps) {
  const { days, recent } = await revenue;
  const figure = showsSellers ? 'Sales' : 'Revenue';
  const cents = (sums: RevenueSums) => (showsSellers ? sums.salesCents : sums.keptCents);
  const bars = days.map((one) => ({ key: one.day, label: label(one.day), amounts: [cents(one)] }));
  const columns: readonly [header: string, cents: (sums: RevenueSums) => number][] = showsSellers
    ? [
        [figure, cents],
        ['Earned by sellers', ({ sellersCents }) => sellersCents],
        ['Margin', ({ keptCents }) => keptCents],
      ]
    : [[figure, cents]];
  return (
    <Card>
      <CardHeader
        title={`${figure} per day`}
        description="Orders minus refunds, on the day of each (UTC)"
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

/** Describes the chart in words: its best day. */
function describeBars(bars: readonly ChartBar[], figure: string): string {
  const top = Math.max(0, ...bars.flatMap(({ amounts }) => amounts));
  const best = bars.find(({ amounts: [amount] }) => amount === top && top > 0);
  return best
    ? `${figure} per day. The best day was ${best.label} with ${formatUsd(top)}.`
    : `${figure} per day. No ${figure.toLowerCase()}.`;
}
