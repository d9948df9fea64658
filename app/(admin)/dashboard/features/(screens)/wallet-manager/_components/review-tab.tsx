import { PiggyBank, ShieldCheck } from 'lucide-react';
import { actionsColumn, type Column, DataTable } from '@/components/table/data-table';
import type { SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { Money } from '@/components/ui/money';
import { TransactionDate } from '@/components/wallet/transaction-columns';
import { listReceivables, type Receivable } from '@/lib/ledger/receivables';
import { formatMoney, formatUsd } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { listWithheld, type Withheld } from '@/lib/payments/reversals/return-disputed';
import { listSuspendedPayments, type SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import { UserName } from './transactions-tab';
import { AcceptPaymentButton, CollectReceivable, ConfirmReturn } from './wallet-operations';

const columns: Column<Withheld>[] = [
  { header: 'Since', className: 'whitespace-nowrap', cell: (one) => <TransactionDate at={one.since.toISOString()} /> },
  {
    header: 'User',
    className: 'w-full max-w-0 min-w-48',
    cell: ({ user }) => <UserName name={user.name} email={user.email} />,
  },
  {
    header: 'Provider',
    className: 'whitespace-nowrap',
    cell: (one) => `${providerNames[one.provider]}, ${one.reference}`,
  },
  {
    header: 'Taken',
    align: 'right',
    cell: (one) => <Money amountMinor={one.amountMinor} currency={one.currency} className="font-medium text-ink" />,
  },
  actionsColumn((one) => <ConfirmReturn one={one} />),
];

const suspendedPaymentColumns: Column<SuspendedPayment>[] = [
  { header: 'Since', className: 'whitespace-nowrap', cell: (one) => <TransactionDate at={one.since} /> },
  {
    header: 'User',
    className: 'w-[28%] max-w-0 min-w-40',
    cell: ({ user }) => <UserName name={user.name} email={user.email} />,
  },
  { header: 'Provider', className: 'whitespace-nowrap', cell: (one) => providerNames[one.provider] },
  {
    header: 'Requested',
    align: 'right',
    cell: (one) => <Money amountMinor={one.requestedMinor} currency={one.requestedCurrency} />,
  },
  {
    header: 'Received',
    align: 'right',
    cell: (one) => <Money amountMinor={one.heldMinor} currency={one.currency} className="font-medium text-ink" />,
  },
  {
    header: 'Reason',
    className: 'w-[44%] min-w-56',
    cell: (one) => (
      <>
        <span className="block break-words">{one.reason}</span>
        {one.refusal ? <span className="block text-muted text-xs">{one.refusal}</span> : null}
      </>
    ),
  },
  actionsColumn((one) => <AcceptPayment one={one} />),
];

const receivableColumns: Column<Receivable>[] = [
  {
    header: 'User',
    className: 'w-full max-w-0 min-w-48',
    cell: (one) => <UserName name={one.name} email={one.email} />,
  },
  { header: 'Last change', className: 'whitespace-nowrap', cell: (one) => <TransactionDate at={one.since} /> },
  { header: 'In the wallet', align: 'right', cell: (one) => <Money amountMinor={one.balanceCents} /> },
  {
    header: 'Owed',
    align: 'right',
    cell: (one) => <Money amountMinor={one.owedCents} className="font-medium text-red-ink" />,
  },
  actionsColumn((one) => <CollectReceivable one={one} />),
];

type ReviewTabProps = { pathname: string; searchParams: SearchParams };

/** Lists money that requires a decision by an admin: suspended payments, withheld dispute amounts, and debts. */
export async function ReviewTab({ pathname, searchParams }: ReviewTabProps) {
  const [apart, withheld, owed] = await Promise.all([listSuspendedPayments(), listWithheld(), listReceivables()]);
  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="apart-heading">
        <h2 id="apart-heading" className="font-medium text-base text-ink">
          Unmatched payments
        </h2>
        <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
          Payments that arrived but aren’t credited to a user. Credit a payment as received, or refund it at the
          provider to remove it from this list. Until then, it stays in suspense.
        </p>
        <DataTable
          caption="Unmatched payments"
          columns={suspendedPaymentColumns}
          rows={apart}
          rowKey={keyOf}
          card={(one) => <SuspendedPaymentCard one={one} />}
          pathname={pathname}
          searchParams={searchParams}
          wide
          empty={
            <EmptyState icon={<ShieldCheck />} title="No unmatched payments">
              Every payment received matches its top-up.
            </EmptyState>
          }
        />
      </section>
      <WithheldSection rows={withheld} pathname={pathname} searchParams={searchParams} />
      <section aria-labelledby="owed-heading">
        <h2 id="owed-heading" className="font-medium text-base text-ink">
          Owed by buyers
        </h2>
        <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
          Payments that were refunded or charged back after their money was spent. The buyer’s next top-up through a
          provider pays the debt first.
        </p>
        <DataTable
          caption="Owed by buyers"
          columns={receivableColumns}
          rows={owed}
          rowKey={(one) => one.userId}
          card={(one) => <ReceivableCard one={one} />}
          pathname={pathname}
          searchParams={searchParams}
          empty={
            <EmptyState icon={<PiggyBank />} title="No amounts owed">
              No refund or dispute exceeded a wallet’s balance.
            </EmptyState>
          }
        />
      </section>
    </div>
  );
}

const keyOf = ({ topupId, currency }: { topupId: string; currency: string }) => `${topupId} ${currency}`;

/** A user's debt in the mobile layout. */
function ReceivableCard({ one }: { one: Receivable }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.name} email={one.email} />
        <Money amountMinor={one.owedCents} className="shrink-0 font-medium text-red-ink" />
      </div>
      <div className="flex items-center justify-between gap-3 text-muted text-xs">
        <span>
          In the wallet: <Money amountMinor={one.balanceCents} />
        </span>
        <CollectReceivable one={one} />
      </div>
    </div>
  );
}

/** A suspended payment in the mobile layout. */
function SuspendedPaymentCard({ one }: { one: SuspendedPayment }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.user.name} email={one.user.email} />
        <Money amountMinor={one.heldMinor} currency={one.currency} className="shrink-0 font-medium text-ink" />
      </div>
      <p className="break-words text-sm">{one.reason}</p>
      {one.refusal ? <p className="text-muted text-xs">{one.refusal}</p> : null}
      <div className="flex items-end justify-between gap-3 text-sm">
        <div>
          <TransactionDate at={one.since} />
          <span className="block text-muted text-xs">
            {providerNames[one.provider]}, requested{' '}
            <Money amountMinor={one.requestedMinor} currency={one.requestedCurrency} />
          </span>
        </div>
        <AcceptPayment one={one} />
      </div>
    </div>
  );
}

/** The button that credits a suspended payment. Renders nothing if only the provider can reverse the payment. */
function AcceptPayment({ one }: { one: SuspendedPayment }) {
  if (one.refusal !== null) return null;
  return (
    <AcceptPaymentButton
      topupId={one.topupId}
      money={formatUsd(one.creditCents)}
      requested={formatMoney(one.requestedMinor, one.requestedCurrency)}
      provider={providerNames[one.provider]}
      user={one.user.name || one.user.email}
    />
  );
}

type WithheldSectionProps = { rows: Withheld[]; pathname: string; searchParams: SearchParams };

/** Lists withheld dispute amounts. They are rare, so the section renders only if there are any. */
function WithheldSection({ rows, pathname, searchParams }: WithheldSectionProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="withheld-heading">
      <h2 id="withheld-heading" className="font-medium text-base text-ink">
        Won, not yet returned
      </h2>
      <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">
        These disputes were won, but the provider hasn’t reported that the money was returned. Check your account there
        and confirm it here.
      </p>
      <DataTable
        caption="Won disputes without returned money"
        columns={columns}
        rows={rows}
        rowKey={(one) => one.reversalId}
        card={(one) => <WithheldCard one={one} />}
        pathname={pathname}
        searchParams={searchParams}
        empty={null}
      />
    </section>
  );
}

/** A withheld dispute amount in the mobile layout. */
function WithheldCard({ one }: { one: Withheld }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.user.name} email={one.user.email} />
        <Money amountMinor={one.amountMinor} currency={one.currency} className="shrink-0 font-medium text-ink" />
      </div>
      <p className="break-all text-muted text-xs">
        {providerNames[one.provider]}, {one.reference}
      </p>
      <div className="flex items-end justify-between gap-3 text-sm">
        <TransactionDate at={one.since.toISOString()} />
        <ConfirmReturn one={one} />
      </div>
    </div>
  );
}
