import { Banknote } from 'lucide-react';
import { PayoutMethodLabel } from '@/components/payouts/payout-method-label';
import { PayoutStateBadge } from '@/components/payouts/payout-state-badge';
import { type Column, DataTable } from '@/components/table/data-table';
import type { IdPageParams } from '@/components/table/page-params';
import type { SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { CappedCount } from '@/db/count-up-to';
import type { CursorPage } from '@/lib/id-cursor';
import { defaultPayoutRows, payoutPageSizes } from '@/lib/payouts/schemas';
import type { PayoutView } from '@/lib/payouts/views';
import { WithdrawPayout } from './withdraw-payout';

type PayoutListProps = {
  payouts: PayoutView[];
  page: IdPageParams;
  counted: Pick<CursorPage<unknown>, 'next' | 'previous'> & CappedCount;
  searchParams: SearchParams;
};

/** The payouts of a seller, newest first. */
export function PayoutList({ payouts, page, counted, searchParams }: PayoutListProps) {
  const { total, isCapped, next, previous } = counted;
  return (
    <DataTable
      caption="Payouts"
      columns={columns}
      rows={payouts}
      rowKey={({ id }) => id}
      card={(payout) => <PayoutCard payout={payout} />}
      pathname="/seller/payouts"
      searchParams={searchParams}
      empty={
        <EmptyState icon={<Banknote />} title="No payouts yet">
          Your requests appear here, with their state and the reference of the payment.
        </EmptyState>
      }
      paging={{
        page,
        total,
        capped: isCapped,
        cursors: { next, previous },
        sizes: payoutPageSizes,
        defaultRows: defaultPayoutRows,
      }}
    />
  );
}

const columns: Column<PayoutView>[] = [
  {
    key: 'requested',
    header: 'Requested',
    className: 'whitespace-nowrap',
    cell: ({ createdAt, isScheduled }) => (
      <>
        <TimeAgo at={createdAt} />
        {isScheduled ? <span className="block text-muted text-xs">by schedule</span> : null}
      </>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (payout) => (
      <>
        <Money amountMinor={payout.amountCents} className="text-ink" />
        {payout.feeCents > 0 ? (
          <span className="block text-muted text-xs">
            fee <Money amountMinor={payout.feeCents} />
          </span>
        ) : null}
      </>
    ),
  },
  {
    key: 'net',
    header: 'You receive',
    align: 'right',
    cell: ({ amountCents, feeCents }) => <Money amountMinor={amountCents - feeCents} className="text-ink" />,
  },
  {
    key: 'method',
    header: 'Method',
    cell: ({ methodKind, lastFour }) => <PayoutMethodLabel kind={methodKind} lastFour={lastFour} />,
  },
  {
    key: 'state',
    header: 'State',
    className: 'whitespace-nowrap',
    cell: (payout) => (
      <>
        <PayoutStateBadge state={payout.state} />
        <StateTime payout={payout} className="mt-0.5 block text-muted text-xs" />
      </>
    ),
  },
  {
    key: 'note',
    header: 'Reference or reason',
    className: 'w-full min-w-40',
    cell: ({ reference, reason }) => <span className="wrap-anywhere">{reason || reference || '–'}</span>,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (payout) => <Actions payout={payout} />,
  },
];

/** When the payout reached its state; nothing for a request, whose time is in the first column. */
function StateTime({ payout, className }: { payout: PayoutView; className: string }) {
  const { endedAt, paidAt, sentAt, approvedAt } = payout;
  const at = endedAt ?? paidAt ?? sentAt ?? approvedAt;
  return at ? <TimeAgo at={at} className={className} /> : null;
}

function Actions({ payout: { id, state, amountCents } }: { payout: PayoutView }) {
  return state === 'requested' ? <WithdrawPayout id={id} amountCents={amountCents} /> : null;
}

/** A payout in the mobile layout. */
function PayoutCard({ payout }: { payout: PayoutView }) {
  const { amountCents, feeCents, methodKind, lastFour, state, reference, reason, createdAt } = payout;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 text-ink">
          <PayoutMethodLabel kind={methodKind} lastFour={lastFour} />
          <span className="block text-muted text-xs">
            Requested <TimeAgo at={createdAt} />
          </span>
        </span>
        <span className="text-right">
          <Money amountMinor={amountCents} className="font-medium text-ink" />
          <span className="block text-muted text-xs">
            you receive <Money amountMinor={amountCents - feeCents} />
          </span>
        </span>
      </div>
      {reason || reference ? <p className="wrap-anywhere text-muted text-xs">{reason || reference}</p> : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <PayoutStateBadge state={state} />
        <Actions payout={payout} />
      </div>
    </div>
  );
}
