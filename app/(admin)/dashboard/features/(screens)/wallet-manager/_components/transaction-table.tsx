import { actionsColumn, type Column, UserName } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { dateColumn, movementColumns, TransactionNote } from '@/components/wallet/transaction-columns';
import { formatUsd } from '@/lib/money';
import { findBuyer } from '@/lib/orders/order/staff-queue';
import { type AdminTransactionRow, getDeletionRefusal } from '@/lib/wallet/contract';
import { listAllTransactions } from '@/lib/wallet/queries';
import { DeleteButton, RefundTopup } from './transaction-actions';

/** The page sizes of the two tables of wallets. */
export const walletPageSizes = [10, 25, 50, 100];
export const defaultWalletPageSize = 10;

const ordersHref = '/dashboard/features/orders';

const transactionColumns: Column<AdminTransactionRow>[] = [
  {
    header: 'Tx ID',
    phone: 'line',
    cell: (line) => (
      <span data-tooltip={line.id} className="whitespace-nowrap font-mono text-muted text-xs">
        <span className="max-md:hidden">…{line.id.slice(-8)}</span>
        <span className="md:hidden">{line.id}</span>
      </span>
    ),
  },
  dateColumn,
  {
    header: 'User',
    phone: 'title',
    className: 'w-[28%] max-w-0 min-w-36',
    cell: (line) => <UserName name={line.userName} email={line.userEmail} />,
  },
  ...movementColumns,
  {
    header: 'Note',
    phone: 'line',
    className: 'w-[72%] min-w-44',
    cell: (line) => <TransactionNote line={line} ordersHref={ordersHref} />,
  },
  actionsColumn((line) => <TransactionActions line={line} />),
];

/** The id of the table, to which the links of its pages scroll. */
const fragment = 'transactions';

type TransactionTableProps = {
  pathname: string;
  searchParams: SearchParams;
  /** The parameters of the page that is shown; without any, the first one. */
  pageParams: SearchParams;
};

/** Lists the transactions of all users that the search matches. */
export async function TransactionTable({ pathname, searchParams, pageParams }: TransactionTableProps) {
  const page = {
    ...readIdPageParams(pageParams, walletPageSizes, defaultWalletPageSize),
    fragment,
    label: 'Pages of transactions',
  };
  const { q = '' } = readFilters(searchParams, ['q']);
  const account = oneParam(searchParams, 'account').slice(0, 64) || undefined;
  const [found, chosen] = await Promise.all([
    listAllTransactions({ q, userId: account, ...page.request }),
    account === undefined ? null : findBuyer(account),
  ]);
  const title =
    account === undefined ? 'All transactions' : `Transactions of ${chosen?.name || chosen?.email || account}`;
  return (
    <section id={fragment} aria-labelledby={`${fragment}-title`} className="mt-8 scroll-mt-24">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={`${fragment}-title`} className="wrap-anywhere min-w-0 font-medium text-base text-ink">
          {title}
        </h2>
        <span className="flex items-center gap-2">
          {account !== undefined ? (
            <ButtonLink size="sm" href={withParams(pathname, searchParams, { account: null })}>
              All transactions
            </ButtonLink>
          ) : null}
          <ExportLink pathname={pathname} filter={{ tab: 'transactions', q, account }} label="Export transactions" />
        </span>
      </div>
      <RecordList
        {...found}
        {...{ pathname, searchParams, page }}
        filter={{ q, account }}
        caption={title}
        columns={transactionColumns}
        rowKey={(line) => `${line.id} ${line.type}`}
        wide
        records="transactions"
        noMatch="Try part of a name, email, ID, note, method, amount or date."
        empty={{
          icon: <Icon name="arrow-left-right" />,
          title: 'No transactions yet',
          children: 'Top-ups and orders of all users appear here.',
        }}
      />
    </section>
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
        method={line.topupId ? line.method : 'the bank'}
      />
    </span>
  );
}
