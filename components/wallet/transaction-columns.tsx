import type { Column } from '@/components/table/data-table';
import { TransactionAmount, TransactionDate, TransactionStatus } from './transaction-cells';

type Line = {
  createdAt: string;
  type: 'credit' | 'debit';
  method: string;
  amountCents: number;
  status: Parameters<typeof TransactionStatus>[0]['status'];
};

export const typeNames = { credit: 'Credit', debit: 'Debit' } as const;

export const dateColumn: Column<Line> = {
  key: 'date',
  header: 'Date',
  className: 'whitespace-nowrap',
  cell: (line) => <TransactionDate at={line.createdAt} />,
};

/** Type, method, amount and status of a wallet transaction. */
export const movementColumns: Column<Line>[] = [
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
];
