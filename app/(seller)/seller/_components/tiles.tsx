import Link from 'next/link';
import { DueLine } from '@/components/orders/due-note';
import { formatShare, newMeaning } from '@/components/sites/record-words';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { countOf, formatCount, formatDuration, formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid, tileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import { type DueOrder, type SellerWork, workNames } from '@/lib/dashboard/seller';
import { type OfferFigures, offerDays } from '@/lib/dashboard/seller-figures';
import type { EarningMonth } from '@/lib/earnings/statement';
import { viewedDays, viewStep } from '@/lib/sites/count-view';
import type { SellerRecord } from '@/lib/sites/record/read';

type Earned = Pick<EarningMonth, 'month' | 'earnedCents' | 'returnedCents'>;

/** Shows what the seller has earned in the current month (UTC). */
export function EarnedThisMonth({ months, href }: { months: readonly Earned[]; href?: string }) {
  const current = months.find(({ month }) => month === new Date().toISOString().slice(0, 7));
  const { earnedCents = 0, returnedCents = 0 } = current ?? {};
  return (
    <StatTile
      label="Earned this month"
      value={<Money amountMinor={earnedCents} />}
      hint={
        returnedCents > 0 ? (
          <>
            <Money amountMinor={returnedCents} /> returned to buyers
          </>
        ) : (
          'from approved placements'
        )
      }
      icon="circle-dollar-sign"
      {...(href !== undefined && { href })}
    />
  );
}

type FigureTilesProps = {
  offers: OfferFigures;
  own: SellerRecord;
  /** In steps of ten, 0 for fewer; null while no views are counted. */
  views: number | null;
};

/**
 * Shows what became of a seller's offers, how fast they were answered, how they were delivered, and how often buyers
 * looked at the sites.
 */
export function FigureTiles({ offers, own: { record, accepted }, views }: FigureTilesProps) {
  return (
    <div className={views === null ? threeTileGrid : tileGrid}>
      <StatTile
        label="Offers"
        value={formatCount({ total: offers.offers, isCapped: offers.isCapped })}
        hint={offers.offers > 0 ? describeAnswers(offers) : `in the last ${offerDays} days`}
        icon="inbox"
        href="/seller/orders"
      />
      <StatTile
        label="Answer time"
        value={offers.medianSeconds === null ? '–' : formatDuration(offers.medianSeconds)}
        hint={
          offers.medianSeconds === null
            ? `no answers in the last ${offerDays} days`
            : `median of the last ${offerDays} days`
        }
        icon="timer"
      />
      <StatTile
        label="Delivered in time"
        value={record ? formatShare(record.deliveredInTime) : 'New'}
        hint={record ? `of ${countOf(accepted, 'accepted order')} in 12 months` : newMeaning}
        icon="chart-no-axes-column"
        href="/seller/record"
      />
      {views === null ? null : (
        <StatTile
          label="Site views"
          value={views === 0 ? `Below ${viewStep}` : `${views.toLocaleString('en-US')}+`}
          hint={`by buyers in the last ${viewedDays} days`}
          icon="eye"
        />
      )}
    </div>
  );
}

function describeAnswers({ accepted, declined, expired }: OfferFigures): string {
  const parts: readonly [count: number, what: string][] = [
    [accepted, 'accepted'],
    [declined, 'declined'],
    [expired, 'expired'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`);
  return `${shown.length > 0 ? shown.join(', ') : 'none answered'} in ${offerDays} days`;
}

type OrderTilesProps = {
  work: Pick<SellerWork, 'toAnswer' | 'toPublish' | 'toRepair'>;
  /** What was earned; null in a view by staff. */
  months: readonly Earned[] | null;
};

/** Renders the seller's open orders and earnings. Each tile links to its list. */
export function OrderTiles({ work: { toAnswer, toPublish, toRepair }, months }: OrderTilesProps) {
  return (
    <>
      <StatTile
        label="To answer"
        value={formatCount(toAnswer)}
        hint="new orders"
        icon="inbox"
        href="/seller/orders?tab=new"
      />
      <StatTile
        label="To publish"
        value={formatCount(toPublish)}
        hint="placements and changes"
        icon="pencil-line"
        href="/seller/orders?tab=publish"
      />
      <StatTile
        label="To repair"
        value={formatCount(toRepair)}
        hint="missing or changed links"
        icon="unlink-2"
        href="/seller/orders?tab=repair"
      />
      {months ? <EarnedThisMonth months={months} href="/seller/earnings" /> : null}
    </>
  );
}

/** Lists the orders that are due next. */
export function NextDue({ orders }: { orders: SellerWork['next'] }) {
  return (
    <Card>
      <CardHeader title="Next due" />
      {orders.length > 0 ? (
        <ul className="divide-y divide-line">
          {orders.map((order) => (
            <li key={order.id}>
              <DueLink order={order} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Icon name="calendar-clock" />} title="Nothing is due">
          Orders and paid changes that need your answer or a publication appear here.
        </EmptyState>
      )}
    </Card>
  );
}

function DueLink({ order: { id, website, work, dueAt } }: { order: DueOrder }) {
  return (
    <Link
      prefetch={false}
      href={`/seller/orders/${id}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-3 text-sm hover:bg-sunken sm:px-5"
    >
      <span className="min-w-0 flex-1 truncate text-ink">
        <span className="text-muted">#{id}</span> {formatUrl(website)}
      </span>
      <span className="text-muted">{workNames[work]}</span>
      {dueAt < new Date() ? (
        <DueLine due={{ text: 'due', at: dueAt.toISOString(), isLate: true }} />
      ) : (
        <span className="text-muted">
          due <TimeAgo at={dueAt} />
        </span>
      )}
    </Link>
  );
}
