import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Column } from '@/components/table/data-table';
import { Badge, type Tone } from '@/components/ui/badge';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { SourceRefundState } from '@/db/schema/source-refunds';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Renders the date in the format of the date filter, and the relative time. @param at ISO 8601 */
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

function TransactionStatus({ status }: { status?: string | null }) {
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

type RefundAmountProps = {
  refund: { amountCents: number; currency: string; chargeMinor: number | null; chargeCurrency: string };
};

/** Renders the amount of a refund, and what the payment method gets where that is in another currency. */
export function RefundAmount({ refund: { amountCents, currency, chargeMinor, chargeCurrency } }: RefundAmountProps) {
  return (
    <span className="grid shrink-0 justify-items-end">
      <Money amountMinor={amountCents} currency={currency} className="font-medium text-ink" />
      {chargeMinor !== null && chargeCurrency !== currency ? (
        <span className="whitespace-nowrap text-muted text-xs">
          <Money amountMinor={chargeMinor} currency={chargeCurrency} />
        </span>
      ) : null}
    </span>
  );
}

type RefundStateProps = { state: SourceRefundState; isTest: boolean; notes: readonly (string | null)[] };

/** Renders the state of a refund with notes. */
export function RefundState({ state, isTest, notes }: RefundStateProps) {
  return (
    <span className="grid justify-items-start gap-1">
      <span className="flex flex-wrap gap-1">
        <Badge tone={refundStateLabels[state].tone}>{refundStateLabels[state].label}</Badge>
        {isTest ? <Badge>Test money</Badge> : null}
      </span>
      {notes.filter(Boolean).map((note) => (
        <span key={note} className="wrap-anywhere text-muted text-xs">
          {note}
        </span>
      ))}
    </span>
  );
}

type TransactionNoteProps = {
  line: { orderId: number | null; note: string; mode: string | null };
  /** The screen that opens the order by ?order. */
  ordersHref: string;
  children?: ReactNode;
};

/** Links the note to its order, and marks test money. */
export function TransactionNote({ line: { orderId, note, mode }, ordersHref, children }: TransactionNoteProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {orderId === null ? (
        <span className="wrap-anywhere min-w-0">{note || '–'}</span>
      ) : (
        <Link
          prefetch={false}
          href={`${ordersHref}?order=${orderId}`}
          className="wrap-anywhere min-w-0 rounded-sm text-accent-ink hover:underline max-md:truncate"
        >
          {note || `Order #${orderId}`}
        </Link>
      )}
      {mode ? <Badge>Test money</Badge> : null}
      {children}
    </span>
  );
}

type Line = {
  createdAt: string;
  type: 'credit' | 'debit';
  method: string;
  amountCents: number;
  status: Parameters<typeof TransactionStatus>[0]['status'];
};

const typeNames = { credit: 'Credit', debit: 'Debit' } as const;

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
    phone: 'end',
    align: 'right',
    cell: (line) => (
      <TransactionAmount type={line.type} amountCents={line.amountCents} isPending={line.status === 'Pending'} />
    ),
  },
  { key: 'status', header: 'Status', phone: 'last', cell: (line) => <TransactionStatus status={line.status} /> },
];
