import { ArrowLeftRight } from 'lucide-react';
import { actionsColumn, type Column, UserName } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { type ListViews, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import {
  dateColumn,
  movementColumns,
  TransactionAmount,
  TransactionDate,
  TransactionFacts,
  TransactionNote,
  TransactionStatus,
} from '@/components/wallet/transaction-columns';
import { formatUsd } from '@/lib/money';
import { type AdminTransactionRow, getDeletionRefusal } from '@/lib/wallet/contract';
import { listAllTransactions } from '@/lib/wallet/queries';
import { DeleteButton, RefundTopup } from './transaction-actions';

/** The labels of the tabs by their URL parameter, in tab order. */
export const managerTabs = {
  users: 'Users',
  transactions: 'All transactions',
  refunds: 'Refunds',
  review: 'In review',
  books: 'Check the books',
} as const;
export type ManagerTab = keyof typeof managerTabs;

const ordersHref = '/dashboard/features/orders';

const transactionColumns: Column<AdminTransactionRow>[] = [
  {
    header: 'Tx ID',
    cell: (line) => (
      <span data-tooltip={line.id} className="whitespace-nowrap font-mono text-muted text-xs">
        …{line.id.slice(-8)}
      </span>
    ),
  },
  dateColumn,
  {
    header: 'User',
    className: 'w-[28%] max-w-0 min-w-36',
    cell: (line) => <UserName name={line.userName} email={line.userEmail} />,
  },
  ...movementColumns,
  {
    header: 'Note',
    className: 'w-[72%] min-w-44',
    cell: (line) => <TransactionNote line={line} ordersHref={ordersHref} />,
  },
  actionsColumn((line) => <TransactionActions line={line} />),
];

type TransactionsTabProps = { pathname: string; searchParams: SearchParams; views: ListViews };

export async function TransactionsTab({ pathname, searchParams, views }: TransactionsTabProps) {
  const page = readIdPageParams(searchParams);
  const { q = '' } = readFilters(searchParams, ['q']);
  const found = await listAllTransactions({ q, ...page.request });
  return (
    <RecordList
      {...found}
      {...{ pathname, searchParams, page }}
      filter={{ q }}
      filters={[{ placeholder: 'Search user, id, note, method, amount…', label: 'Search transactions' }]}
      hasClearLink={false}
      listActions={
        <>
          <SavedViewsButton {...views} />
          <ExportLink pathname={pathname} filter={{ tab: 'transactions', q }} />
        </>
      }
      note={<SavedViewLinks {...views} />}
      caption="All transactions"
      columns={transactionColumns}
      rowKey={(line) => `${line.id} ${line.type}`}
      card={(line) => <TransactionCard line={line} />}
      wide
      records="transactions"
      noMatch="Try part of a name, email, ID, note, method, amount or date."
      empty={{
        icon: <ArrowLeftRight />,
        title: 'No transactions yet',
        children: 'Top-ups and orders of all users appear here.',
      }}
    />
  );
}

/** Renders a transaction in the mobile layout. */
function TransactionCard({ line }: { line: AdminTransactionRow }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={line.userName} email={line.userEmail} />
        <TransactionAmount type={line.type} amountCents={line.amountCents} isPending={line.status === 'Pending'} />
      </div>
      <div className="text-sm">
        <TransactionNote line={line} ordersHref={ordersHref} />
      </div>
      <div className="flex items-end justify-between gap-3 text-sm">
        <div>
          <TransactionDate at={line.createdAt} />
        </div>
        <span className="flex items-center gap-2">
          <TransactionStatus status={line.status} />
          <TransactionActions line={line} />
        </span>
      </div>
      <TransactionFacts line={line} />
    </div>
  );
}

function TransactionActions({ line }: { line: AdminTransactionRow }) {
  const user = line.userName || line.userEmail;
  return (
    <span className="flex items-center justify-end gap-1">
      {line.kind === 'topup' && line.topupId ? (
        <RefundTopup topupId={line.topupId} amountCents={line.amountCents} user={user} method={line.method} />
      ) : null}
      <DeleteButton
        id={line.id}
        what={`${formatUsd(line.amountCents)} of ${user}`}
        refusal={getDeletionRefusal(line.kind, line)}
        isPaidIn={line.kind === 'topup'}
        method={line.method}
      />
    </span>
  );
}
