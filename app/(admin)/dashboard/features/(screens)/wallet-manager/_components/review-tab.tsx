import type { ReactNode } from 'react';
import { actionsColumn, type Column, DataTable, moneyColumn, UserName } from '@/components/table/data-table';
import type { SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { TransactionDate } from '@/components/wallet/transaction-columns';
import { listReceivables, type Receivable } from '@/lib/ledger/receivables';
import { providerNames } from '@/lib/payments/providers/names';
import { listWithheld, type Withheld } from '@/lib/payments/reversals/return-disputed';
import { listSuspendedPayments, type SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import { AcceptPayment, CollectReceivable, ConfirmReturn } from './wallet-operations';

const columns: Column<Withheld>[] = [
  {
    header: 'Since',
    className: 'whitespace-nowrap',
    cell: ({ since }) => <TransactionDate at={since.toISOString()} />,
  },
  { header: 'User', phone: 'title', className: 'w-full max-w-0 min-w-48', cell: ({ user }) => <UserName {...user} /> },
  {
    header: 'Provider',
    className: 'whitespace-nowrap',
    cell: (one) => `${providerNames[one.provider]}, ${one.reference}`,
  },
  moneyColumn('Taken', ({ amountMinor, currency }) => [amountMinor, currency]),
  actionsColumn((one) => <ConfirmReturn one={one} />),
];

const suspendedPaymentColumns: Column<SuspendedPayment>[] = [
  { header: 'Since', className: 'whitespace-nowrap', cell: (one) => <TransactionDate at={one.since} /> },
  { header: 'User', phone: 'title', className: 'w-[28%] max-w-0 min-w-40', cell: ({ user }) => <UserName {...user} /> },
  { header: 'Provider', className: 'whitespace-nowrap', cell: (one) => providerNames[one.provider] },
  moneyColumn(
    'Requested',
    ({ requestedMinor, requestedCurrency }) => [requestedMinor, requestedCurrency],
    '',
    'labeled',
  ),
  moneyColumn('Received', ({ heldMinor, currency }) => [heldMinor, currency]),
  {
    header: 'Reason',
    phone: 'line',
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
  { header: 'User', phone: 'title', className: 'w-full max-w-0 min-w-48', cell: (one) => <UserName {...one} /> },
  {
    header: 'Last change',
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: (one) => <TransactionDate at={one.since} />,
  },
  moneyColumn('In the wallet', ({ balanceCents }) => [balanceCents], '', 'labeled'),
  moneyColumn('Owed', ({ owedCents }) => [owedCents], 'font-medium text-red-ink'),
  actionsColumn((one) => <CollectReceivable one={one} />),
];

/** Lists money that requires a decision by an admin: suspended payments, withheld dispute amounts, and debts. */
export async function ReviewTab(place: { pathname: string; searchParams: SearchParams }) {
  const [apart, withheld, owed] = await Promise.all([listSuspendedPayments(), listWithheld(), listReceivables()]);
  return (
    <div className="grid grid-cols-1 gap-8">
      <Section
        title="Unmatched payments"
        text="Payments that arrived but aren’t credited to a user. Credit a payment as received, or refund it at the provider to remove it from this list. Until then, it stays in suspense."
      >
        <DataTable
          {...place}
          caption="Unmatched payments"
          columns={suspendedPaymentColumns}
          rows={apart}
          rowKey={({ topupId, currency }) => `${topupId} ${currency}`}
          wide
          empty={
            <EmptyState icon={<Icon name="shield-check" />} title="No unmatched payments">
              Every payment received matches its top-up.
            </EmptyState>
          }
        />
      </Section>
      {/* Withheld dispute amounts are rare. */}
      {withheld.length > 0 ? (
        <Section
          title="Won, not yet returned"
          text="These disputes were won, but the provider hasn’t reported that the money was returned. Check your account there and confirm it here."
        >
          <DataTable
            {...place}
            caption="Won disputes without returned money"
            columns={columns}
            rows={withheld}
            rowKey={(one) => one.reversalId}
            empty={null}
          />
        </Section>
      ) : null}
      <Section
        title="Owed by buyers"
        text="Payments that were refunded or charged back after their money was spent. The buyer’s next top-up through a provider pays the debt first."
      >
        <DataTable
          {...place}
          caption="Owed by buyers"
          columns={receivableColumns}
          rows={owed}
          rowKey={(one) => one.userId}
          empty={
            <EmptyState icon={<Icon name="piggy-bank" />} title="No amounts owed">
              No refund or dispute exceeded a wallet’s balance.
            </EmptyState>
          }
        />
      </Section>
    </div>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="font-medium text-base text-ink">{title}</h2>
      <p className="mt-1 mb-3 max-w-2xl text-muted text-sm">{text}</p>
      {children}
    </section>
  );
}
