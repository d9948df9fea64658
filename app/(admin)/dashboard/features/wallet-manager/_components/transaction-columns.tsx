import type { Column } from '@/components/table/data-table';
import { dateColumn, movementColumns } from '@/components/wallet/transaction-columns';
import type { AdminTransactionRow } from '@/lib/wallet/admin-views';
import { DeleteTransaction } from './delete-transaction';
import { TransactionNote } from './transaction-note';
import { UserName } from './user-name';

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
  dateColumn,
  {
    key: 'user',
    header: 'User',
    className: 'w-[28%] max-w-0 min-w-36',
    cell: (line) => <UserName name={line.userName} email={line.userEmail} />,
  },
  ...movementColumns,
  { key: 'note', header: 'Note', className: 'w-[72%] min-w-44', cell: (line) => <TransactionNote line={line} /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (line) => <DeleteTransaction line={line} />,
  },
];
