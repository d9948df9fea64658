import type { Column } from '@/components/table/data-table';
import { dateColumn, movementColumns } from '@/components/wallet/transaction-columns';
import type { WalletTransactionRow } from '@/lib/wallet/views';
import { TransactionNote } from './transaction-note';

/** The table of spec 001, "Wallet screen details". */
export const transactionColumns: Column<WalletTransactionRow>[] = [
  {
    key: 'id',
    header: 'Tx ID',
    cell: (line) => <TransactionId id={line.id} />,
  },
  dateColumn,
  ...movementColumns,
  { key: 'note', header: 'Note', className: 'w-full min-w-56', cell: (line) => <TransactionNote line={line} /> },
];

/** An id begins with the time it was made, so that its end tells two apart; in full where there is room. */
function TransactionId({ id }: { id: string }) {
  return (
    <span title={id} className="whitespace-nowrap font-mono text-muted text-xs">
      <span className="xl:hidden">…{id.slice(-8)}</span>
      <span className="hidden xl:inline">{id}</span>
    </span>
  );
}
