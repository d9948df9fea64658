import type { Column } from '@/components/table/data-table';
import { TransactionAmount } from '@/components/wallet/transaction-amount';
import { TransactionStatus } from '@/components/wallet/transaction-status';
import type { WalletTransactionRow } from '@/lib/wallet/views';
import { TransactionDate } from './transaction-date';
import { TransactionNote } from './transaction-note';

/** The table of spec 001, "Wallet screen details". */
export const transactionColumns: Column<WalletTransactionRow>[] = [
  {
    key: 'id',
    header: 'Tx ID',
    cell: (line) => <TransactionId id={line.id} />,
  },
  {
    key: 'date',
    header: 'Date',
    className: 'whitespace-nowrap',
    cell: (line) => <TransactionDate at={line.createdAt} />,
  },
  { key: 'type', header: 'Type', cell: (line) => typeNames[line.type] },
  { key: 'method', header: 'Method', className: 'whitespace-nowrap', cell: (line) => line.method || '–' },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (line) => (
      <TransactionAmount type={line.type} amountCents={line.amountCents} isPending={line.status === 'Pending'} />
    ),
  },
  { key: 'status', header: 'Status', cell: (line) => <TransactionStatus status={line.status} /> },
  { key: 'note', header: 'Note', className: 'w-full min-w-56', cell: (line) => <TransactionNote line={line} /> },
];

export const typeNames = { credit: 'Credit', debit: 'Debit' } as const;

/** An id begins with the time it was made, so that its end tells two apart; in full where there is room. */
function TransactionId({ id }: { id: string }) {
  return (
    <span title={id} className="whitespace-nowrap font-mono text-muted text-xs">
      <span className="xl:hidden">…{id.slice(-8)}</span>
      <span className="hidden xl:inline">{id}</span>
    </span>
  );
}
