import Link from 'next/link';
import type { ReactNode } from 'react';
import { BarChart } from '@/components/dashboard/bar-chart';
import { ChartTable } from '@/components/dashboard/chart-table';
import { withParams } from '@/components/table/url';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid } from '@/components/ui/stat-tile';
import {
  type CashPosition,
  type CurrencyPosition,
  type PositionDay,
  positionDays,
} from '@/lib/dashboard/cash-position';
import { shiftDay } from '@/lib/dashboard/money-figures';
import { formatUsd, walletCurrency } from '@/lib/money';
import { formatDay } from './days';
import { entriesPath, moneyPath, textsOf } from './figure-texts';

type PositionViewProps = {
  position: CashPosition;
  day: string;
  /** Returns the list of the payouts in a state; undefined for a past day, and without permission. */
  payoutsHref: (state: string) => string | undefined;
};

/** Shows what is there, what is owed and what is free at the end of a day. */
export function PositionView({ position, day, payoutsHref }: PositionViewProps) {
  const { currencies, days, payouts } = position;
  const usd = currencies.find(({ currency }) => currency === walletCurrency);
  return (
    <div className="grid gap-4">
      {usd ? (
        <div className={threeTileGrid}>
          <StatTile
            label="Cash"
            value={<Money amountMinor={usd.cash} />}
            hint="at providers and the bank"
            icon="banknote"
          />
          <StatTile
            label="Owed to others"
            value={<Money amountMinor={usd.owed} />}
            hint="to buyers, sellers and others"
            icon="users"
          />
          <StatTile
            label="Free"
            value={<Money amountMinor={usd.free} className={usd.free < 0 ? 'text-red-ink' : undefined} />}
            hint="cash less what is owed"
            icon="piggy-bank"
          />
        </div>
      ) : null}
      {currencies.map((one) => (
        <CurrencyCards
          key={one.currency}
          position={one}
          day={day}
          payouts={payouts.map(({ state, cents, count }) => ({
            label: `Payouts ${state}`,
            definition: count === 1 ? '1 payout' : `${count.toLocaleString('en-US')} payouts`,
            cents,
            href: payoutsHref(state),
          }))}
        />
      ))}
      <DaysCard days={days} />
    </div>
  );
}

type Line = { label: string; definition: string; cents: number; href: string | undefined };

type CurrencyCardsProps = { position: CurrencyPosition; day: string; payouts: readonly Line[] };

/** Shows the accounts of a currency: cash, what is owed, and where the free money comes from. */
function CurrencyCards({ position, day, payouts }: CurrencyCardsProps) {
  const { currency, cash, owed, free, lines } = position;
  const isMain = currency === walletCurrency;
  const from = shiftDay(day, 1 - positionDays);
  const linesOf = (side: string) =>
    lines
      // In other currencies, most accounts are never used.
      .filter((line) => line.side === side && (isMain || line.cents !== 0))
      .flatMap(({ id, kind, cents }): Line[] => {
        const line: Line = {
          ...textsOf(id),
          cents,
          href: withParams(entriesPath, {}, { figure: id, currency: isMain ? null : currency, from, to: day }),
        };
        if (kind !== 'payout_transit' || !isMain) return [line];
        return payouts.map((payout) => ({ ...payout, href: payout.href ?? line.href }));
      });
  const suffix = isMain ? '' : ` in ${currency}`;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-3">
      <SideCard title={`Cash${suffix}`} total={['Cash', cash]} lines={linesOf('cash')} currency={currency} />
      <SideCard title={`Owed to others${suffix}`} total={['Owed', owed]} lines={linesOf('owed')} currency={currency} />
      <SideCard
        title={`Free${suffix}`}
        description="Where it comes from. It equals the cash less what is owed."
        total={['Free', free]}
        lines={linesOf('own')}
        currency={currency}
      />
    </div>
  );
}

type SideCardProps = {
  title: string;
  description?: string;
  total: readonly [label: string, cents: number];
  lines: readonly Line[];
  currency: string;
};

function SideCard({ title, description, total: [label, cents], lines, currency }: SideCardProps) {
  return (
    <Card>
      <CardHeader title={title} description={description} />
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <li key={line.label}>
            <LineLink line={line}>
              <Money amountMinor={line.cents} currency={currency} className="shrink-0 text-ink tabular-nums" />
            </LineLink>
          </li>
        ))}
      </ul>
      <p className="flex items-baseline justify-between gap-4 border-line border-t px-4 py-3 font-medium text-ink text-sm sm:px-5">
        {label}
        <Money amountMinor={cents} currency={currency} className="tabular-nums" />
      </p>
    </Card>
  );
}

/** Renders a figure's name and definition, and links to its list. */
export function LineLink({ line, children }: { line: Omit<Line, 'cents'>; children: ReactNode }) {
  const className = 'flex items-start justify-between gap-4 px-4 py-2.5 text-sm sm:px-5';
  const content = (
    <>
      <span className="min-w-0">
        <span className="block text-ink">{line.label}</span>
        <span className="block text-pretty text-muted text-xs">{line.definition}</span>
      </span>
      {children}
    </>
  );
  if (!line.href) return <div className={className}>{content}</div>;
  return (
    <Link
      prefetch={false}
      href={line.href}
      className={`${className} transition-colors hover:bg-sunken focus-visible:-outline-offset-2`}
    >
      {content}
    </Link>
  );
}

/** Shows what was free at the end of each day as a chart, and all sums as a table. */
function DaysCard({ days }: { days: readonly PositionDay[] }) {
  const [first, last] = [days.at(0), days.at(-1)];
  const bars = days.map(({ day, free }) => ({ key: day, label: formatDay(day), amounts: [free] }));
  const label =
    first && last
      ? `Free by day: ${formatUsd(first.free)} on ${formatDay(first.day)}, ${formatUsd(last.free)} on ${formatDay(last.day)}.`
      : '';
  return (
    <Card>
      <CardHeader title="Free by day" description={`At the end of each of ${positionDays} days (UTC), in USD`} />
      <CardBody>
        <BarChart bars={bars} series={[{ name: 'Free' }]} label={label} />
        <ChartTable
          caption="Cash, owed and free by day"
          rowHeader="Day"
          rowName={({ day }) => (
            <Link
              prefetch={false}
              href={withParams(moneyPath, {}, { day })}
              className="rounded-sm text-accent-ink hover:underline"
            >
              <time dateTime={day}>{formatDay(day)}</time>
            </Link>
          )}
          rowKey={({ day }) => day}
          columns={[
            ['Cash', ({ cash }) => <Money amountMinor={cash} />],
            ['Owed', ({ owed }) => <Money amountMinor={owed} />],
            ['Free', ({ free }) => <Money amountMinor={free} />],
          ]}
          rows={days.toReversed()}
        />
      </CardBody>
    </Card>
  );
}
