import type { Column } from '@/components/table/data-table';
import { TransactionAmount } from '@/components/wallet/transaction-amount';
import { TransactionStatus } from '@/components/wallet/transaction-status';
import type { AdminTransactionRow } from '@/lib/wallet/admin-views';
import { DeleteTransaction } from './delete-transaction';
import { TransactionNote } from './transaction-note';
import { TransactionWhen } from './transaction-when';
import { UserName } from './user-name';

export const typeNames = { credit: 'Credit', debit: 'Debit' } as const;

/** Everybody's wallet transactions. */
export const transactionColumns: Column<AdminTransactionRow>[] = [
  {
    key: 'id',
    header: 'Tx ID',
    cell: (line) => (
      <span title={line.id} className="whitespace-nowrap font-mono text-muted text-xs">
        …{line.id.slice(-8)}
      </span>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    className: 'whitespace-nowrap',
    cell: (line) => <TransactionWhen at={line.createdAt} />,
  },
  {
    key: 'user',
    header: 'User',
    className: 'w-[28%] max-w-0 min-w-36',
    cell: (line) => <UserName name={line.userName} email={line.userEmail} />,
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
  { key: 'note', header: 'Note', className: 'w-[72%] min-w-44', cell: (line) => <TransactionNote line={line} /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (line) => <DeleteTransaction line={line} />,
  },
];
