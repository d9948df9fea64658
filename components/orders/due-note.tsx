import { cn } from '@/components/ui/cn';
import type { OrderView } from '@/lib/orders/views';

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** The day in UTC, with the exact time as its tooltip. */
export function DueDay({ at }: { at: string }) {
  return (
    <time dateTime={at} data-tooltip={`${exact.format(Date.parse(at))} UTC`} className="whitespace-nowrap">
      {day.format(Date.parse(at))}
    </time>
  );
}

/** What is due, and when. */
export type Due = { text: string; at: string; isLate: boolean };

/** A day by which a side acts. Overdue is red, and says so. */
export function DueLine({ due: { text, at, isLate }, className }: { due: Due; className?: string }) {
  return (
    <span className={cn(isLate ? 'font-medium text-red-ink' : 'text-muted', className)}>
      {isLate ? 'Overdue since' : text} <DueDay at={at} />
    </span>
  );
}

type Dated = NonNullable<OrderView['placement']>;
/** The days of a placement; without `approveDueAt` where the end of the buyer's review is not shown. */
type Placed = Pick<Dated, 'state' | 'answerDueAt' | 'deliveryDueAt' | 'isLate'> & Partial<Pick<Dated, 'approveDueAt'>>;
type DueNoteProps = { placement?: Placed | null | undefined; reader?: 'buyer' | 'staff'; className?: string };

/** Until when the seller of an order acts; nothing if the seller has nothing to do. */
export function DueNote({ placement, reader = 'buyer', className }: DueNoteProps) {
  const due = placement ? describeDue(placement, reader) : null;
  return due ? <DueLine due={due} className={cn('block text-xs', className)} /> : null;
}

const texts = {
  buyer: { answer: 'Seller answers by', publish: 'Live by', review: null },
  staff: { answer: 'Answer by', publish: 'Publish by', review: 'Review ends' },
};

/** What of an order is due for the seller, and for staff also when the buyer's review ends; null for nothing. */
export function describeDue(placement: Placed, reader: keyof typeof texts): Due | null {
  const { state, answerDueAt, deliveryDueAt, approveDueAt = null, isLate } = placement;
  const { answer, publish, review } = texts[reader];
  switch (state) {
    case 'offered':
      return { text: answer, at: answerDueAt, isLate: false };
    case 'accepted':
    case 'in_revision':
      return deliveryDueAt === null ? null : { text: publish, at: deliveryDueAt, isLate };
    case 'delivered':
      return review === null || approveDueAt === null ? null : { text: review, at: approveDueAt, isLate: false };
    default:
      return null;
  }
}
