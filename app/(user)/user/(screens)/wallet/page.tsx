import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { screenTexts } from '@/components/shell/screen-texts';
import type { Column } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { returnParam } from '@/components/wallet/return-url';
import { dateColumn, movementColumns, TransactionNote } from '@/components/wallet/transaction-columns';
import { requirePage } from '@/lib/auth/page-guard';
import { getReturnPath } from '@/lib/auth/portals';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { getOwedCents } from '@/lib/ledger/balance';
import { parseMoney, toDecimalString, walletCurrency } from '@/lib/money';
import { transferPaths } from '@/lib/payments/bank-transfers/contract';
import { listOpenTransfers, listTransferCurrencies, type OpenTransfer } from '@/lib/payments/bank-transfers/queries';
import { formatReference } from '@/lib/payments/bank-transfers/reference';
import { providerNames } from '@/lib/payments/providers/names';
import { listOfferedProviders } from '@/lib/payments/providers/open-provider';
import {
  listOpenTopups,
  listUncreditedTopups,
  type OpenTopup,
  type UncreditedTopup,
} from '@/lib/payments/top-ups/queries';
import type { WalletTransactionRow } from '@/lib/wallet/contract';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { AddFunds } from './_components/add-funds';
import { PendingTopup } from './_components/pending-topup';
import { TopUpReturn } from './_components/top-up-return';

/** Pending top-ups by id. */
type OpenTopups = ReadonlyMap<string, OpenTopup>;

const transactionColumns = (open: OpenTopups): Column<WalletTransactionRow>[] => [
  { key: 'id', header: 'Tx ID', phone: 'line', cell: (line) => <TransactionId id={line.id} /> },
  dateColumn,
  ...movementColumns,
  {
    key: 'note',
    header: 'Note',
    phone: 'title',
    className: 'w-full min-w-56',
    cell: (line) => <Note line={line} open={open} />,
  },
];

const pathname = '/user/wallet';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

export default async function WalletPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:wallet');
  const params = await searchParams;
  const page = readIdPageParams(params);
  // The page of an order that awaits the money. Only paths of the customer area are accepted.
  const back = getReturnPath(oneParam(params, returnParam), '', ['/user']);
  const filter = readFilters(params, ['q']);
  const [{ balanceCents }, owedCents, found, providers, uncredited, transfers, openTransfers] = await Promise.all([
    getBuyerLayout(actor),
    getOwedCents(actor.accountId),
    listWalletTransactions(actor.accountId, { ...filter, ...page.request }),
    listOfferedProviders(actor),
    listUncreditedTopups(actor.accountId),
    listTransferCurrencies(),
    listOpenTransfers(actor.accountId),
  ]);
  const open = await listOpenTopups(
    actor,
    found.rows.flatMap(({ status, topupId }) => (status === 'Pending' && topupId ? [topupId] : [])),
  );
  return (
    <RecordList
      {...texts}
      {...found}
      {...{ pathname, page, filter }}
      searchParams={params}
      filters={[
        {
          placeholder: 'Search transactions (id, note, method, amount)…',
          label: 'Search transactions',
          className: 'sm:w-[27rem]',
        },
      ]}
      hasClearLink={false}
      listActions={
        <>
          <p className="text-muted text-sm">Transactions: {formatCount(found)}</p>
          {found.total > 0 && !actor.viewing ? <ExportLink pathname={pathname} filter={filter} /> : null}
        </>
      }
      caption="Transactions"
      columns={transactionColumns(open)}
      rowKey={(line) => line.id}
      wide
      records="transactions"
      noMatch="Try part of an ID, note, method, amount or date."
      empty={{ icon: <Icon name="wallet" />, title: 'No transactions yet. Add funds to see them here.' }}
    >
      <TopUpReturn back={back} />
      <BalanceCard balanceCents={balanceCents ?? 0} owedCents={owedCents}>
        <span className="flex flex-wrap items-center gap-2">
          <ButtonLink href="/user/wallet/refunds" variant="secondary" icon={<Icon name="undo-2" />}>
            Refunds
          </ButtonLink>
          <AddFunds providers={providers} transfers={transfers} requested={readRequestedAmount(params)} back={back} />
        </span>
      </BalanceCard>
      <OpenTransfers transfers={openTransfers} />
      <UncreditedPayments topups={uncredited} />
    </RecordList>
  );
}

/**
 * Returns the amount of ?topup=12.34, which opens the dialog. An order that exceeds the balance links here. After a
 * payment, the same parameter contains the top-up's id instead.
 */
function readRequestedAmount(params: SearchParams): string | null {
  if (oneParam(params, 'success') || oneParam(params, 'cancelled')) return null;
  const cents = parseMoney(oneParam(params, 'topup'));
  return cents !== null && cents > 0 ? toDecimalString(cents) : null;
}

/**
 * Ids start with a timestamp, so the last characters distinguish them. Displays the full id if there is room, also on
 * phones.
 */
function TransactionId({ id }: { id: string }) {
  return (
    <span data-tooltip={id} className="whitespace-nowrap font-mono text-muted text-xs">
      <span className="hidden md:max-xl:inline">…{id.slice(-8)}</span>
      <span className="md:max-xl:hidden">{id}</span>
    </span>
  );
}

type TransactionProps = { line: WalletTransactionRow; open: OpenTopups };

/** Continues or cancels a pending top-up. */
function Note({ line, open }: TransactionProps) {
  const topup = open.get(line.id);
  return (
    <TransactionNote line={line} ordersHref="/user/orders">
      {topup ? <PendingTopup topup={topup} /> : null}
    </TransactionNote>
  );
}

/** Lists the bank transfers that a buyer asked for and that did not arrive, and those that are being checked. */
function OpenTransfers({ transfers }: { transfers: readonly OpenTransfer[] }) {
  if (transfers.length === 0) return null;
  return (
    <Card aria-label="Bank transfers" className="mb-6">
      <CardHeader title="Bank transfers" description="They are added to your wallet when they arrive" />
      <ul className="divide-y divide-line">
        {transfers.map(({ id, reference, payMinor, currency, createdAt, isArrived }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-2.5 text-sm">
            <span className="min-w-0">
              <Money amountMinor={payMinor} currency={currency} className="font-medium text-ink" />{' '}
              <span className="text-muted">
                <Link href={transferPaths(reference).page} className="rounded-sm text-accent-ink underline">
                  {formatReference(reference)}
                </Link>
                , <TimeAgo at={createdAt} />
              </span>
              {isArrived ? (
                <span className="block text-muted text-xs">
                  Your transfer arrived and our team checks it. You don’t need to pay again.
                </span>
              ) : null}
            </span>
            {isArrived ? <Badge tone="yellow">In review</Badge> : <Badge tone="grey">Waiting</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Lists the payments that are not in the balance: those that failed, and those that arrived and are in review. */
function UncreditedPayments({ topups }: { topups: readonly UncreditedTopup[] }) {
  if (topups.length === 0) return null;
  return (
    <Card aria-label="Payments not credited" className="mb-6">
      <CardHeader title="Payments not credited" description="In the last 30 days" />
      <ul className="divide-y divide-line">
        {topups.map(({ id, provider, status, amountCents, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-2.5 text-sm">
            <span className="min-w-0">
              <Money amountMinor={amountCents} className="font-medium text-ink" />{' '}
              <span className="text-muted">
                {providerNames[provider]}, <TimeAgo at={createdAt} />
              </span>
              <span className="block text-muted text-xs">
                {status === 'review'
                  ? 'Your payment arrived and our team checks it. You don’t need to pay again.'
                  : 'Nothing was charged. Add funds to try again.'}
              </span>
            </span>
            {status === 'review' ? <Badge tone="yellow">In review</Badge> : <Badge tone="red">Failed</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type BalanceCardProps = {
  balanceCents: number;
  /** The debt from payments that were refunded or disputed after their money was spent; usually 0. */
  owedCents: number;
  children: ReactNode;
};

/** Displays the balance and the button that adds funds. */
function BalanceCard({ balanceCents, owedCents, children }: BalanceCardProps) {
  return (
    <Card aria-label="Balance" className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-4">
      <div>
        <p className="text-muted text-sm">Balance</p>
        <p className="mt-1 flex items-baseline gap-2">
          <Money amountMinor={balanceCents} className="font-medium text-2xl text-ink tracking-tight" />
          <span className="text-muted text-sm">{walletCurrency}</span>
        </p>
        {owedCents > 0 ? (
          <p className="mt-1 max-w-lg text-muted text-sm">
            You owe <Money amountMinor={owedCents} className="text-ink" /> because a payment was refunded or disputed
            after you spent it. Your next top-up pays this first.
          </p>
        ) : null}
      </div>
      {children}
    </Card>
  );
}
