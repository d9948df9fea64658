import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import type { ChangeState } from '@/db/schema/order-changes';
import type { OrderView } from '@/lib/orders/contract';
import { isOpenExtension } from '@/lib/orders/describe-status';

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Renders the day in UTC, with the exact time as its tooltip. */
function DueDay({ at }: { at: string }) {
  return (
    <time dateTime={at} data-tooltip={`${exact.format(Date.parse(at))} UTC`} className="whitespace-nowrap">
      {day.format(Date.parse(at))}
    </time>
  );
}

/** What is due, and when. */
export type Due = { text: string; at: string; isLate: boolean };

/** Renders a day by which a side acts. Overdue is red, and says so. */
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

/** Shows until when the seller of an order acts; nothing if the seller has nothing to do. */
export function DueNote({ placement, reader = 'buyer', className }: DueNoteProps) {
  const due = placement ? describeDue(placement, reader) : null;
  return due ? <DueLine due={due} className={cn('block text-xs', className)} /> : null;
}

const texts = {
  buyer: { answer: 'Seller answers by', publish: 'Live by', review: null },
  staff: { answer: 'Answer by', publish: 'Publish by', review: 'Review ends' },
};

/** Tells what of an order is due for the seller, and for staff also when the buyer's review ends; null for nothing. */
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

type WaitingNoteProps = {
  order: Pick<OrderView, 'id' | 'placement'>;
  /** The number of unread messages of the buyer. */
  unread: number;
  /** The state of the open paid change; undefined without one. */
  change?: ChangeState | undefined;
};

/** Shows what waits for the buyer of an order, as links to its room; nothing if nothing does. */
export function WaitingNote({ order: { id, placement }, unread, change }: WaitingNoteProps) {
  const wait = (placement ? describeWait(placement) : null) ?? describeChange(change);
  if (!wait && unread === 0) return null;
  return (
    <Link
      prefetch={false}
      href={`/user/orders/${id}`}
      className="block w-fit rounded-sm py-0.5 text-accent-ink text-xs hover:underline"
    >
      {wait ? (
        <span className="block whitespace-nowrap">
          {wait.text}
          {wait.dueAt ? (
            <>
              {' '}
              <DueDay at={wait.dueAt} />
            </>
          ) : null}
        </span>
      ) : null}
      {unread > 0 ? (
        <span className="block whitespace-nowrap">
          {unread === 1 ? '1 unread message' : `${unread.toLocaleString('en-US')} unread messages`}
        </span>
      ) : null}
    </Link>
  );
}

type Wait = { text: string; dueAt: string | null };

/** Describes what an open paid change waits for, if it waits for the buyer. */
function describeChange(state: ChangeState | undefined): Wait | null {
  if (state === 'priced') return { text: 'Answer the price of the change', dueAt: null };
  return state === 'delivered' ? { text: 'Review the change', dueAt: null } : null;
}

/** Describes what a placement waits for, if it waits for its buyer. */
function describeWait(placement: NonNullable<OrderView['placement']>): Wait | null {
  const { state, approveDueAt, extension, isLate, mayCancel, check } = placement;
  if (state === 'delivered')
    return { text: check?.verdict === 'broken' ? 'Review by' : 'Approve by', dueAt: approveDueAt };
  if (state === 'disputed') return { text: 'Answer the dispute', dueAt: null };
  if (state !== 'accepted' && state !== 'in_revision') return null;
  if (isOpenExtension(extension)) return { text: 'Answer the extension', dueAt: null };
  if (isLate) return { text: 'Late: you can cancel', dueAt: null };
  return mayCancel ? { text: 'You can cancel', dueAt: null } : null;
}
