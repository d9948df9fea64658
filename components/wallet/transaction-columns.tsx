import type { Column } from '@/components/table/data-table';
import { Badge, type Tone } from '@/components/ui/badge';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { SourceRefundState } from '@/db/schema/source-refunds';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The date in the format of the date filter, and the relative time. @param at ISO 8601 */
export function TransactionDate({ at }: { at: string }) {
  return (
    <>
      <span className="text-ink">{day.format(new Date(at))}</span>
      <TimeAgo at={at} className="block text-subtle text-xs" />
    </>
  );
}

type TransactionAmountProps = {
  type: 'credit' | 'debit';
  /** Integer USD cents, not negative. */
  amountCents: number;
  isPending: boolean;
};

/** Credits are green with a plus, debits have a minus. A pending amount is not in the balance and stays grey. */
export function TransactionAmount({ type, amountCents, isPending }: TransactionAmountProps) {
  const colour = isPending ? 'text-muted' : type === 'credit' ? 'text-green-ink' : 'text-ink';
  return <Money amountMinor={amountCents} sign={type} className={`font-medium ${colour}`} />;
}

/** Completed is green, Pending yellow, any other status grey. A missing status is Completed. */
const tones: Readonly<Record<string, Tone>> = { Completed: 'green', Pending: 'yellow' };

export function TransactionStatus({ status }: { status?: string | null }) {
  const shown = status || 'Completed';
  return <Badge tone={tones[shown] ?? 'grey'}>{shown}</Badge>;
}

/** The labels and colors of the states of a refund to the payment method. */
export const refundStateLabels = {
  requested: { tone: 'yellow', label: 'Requested' },
  processing: { tone: 'blue', label: 'In progress' },
  succeeded: { tone: 'green', label: 'Refunded' },
  failed: { tone: 'red', label: 'Failed' },
  declined: { tone: 'red', label: 'Declined' },
  withdrawn: { tone: 'grey', label: 'Withdrawn' },
} as const satisfies Record<SourceRefundState, unknown>;

export function RefundStateBadge({ state }: { state: SourceRefundState }) {
  return <Badge tone={refundStateLabels[state].tone}>{refundStateLabels[state].label}</Badge>;
}

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
