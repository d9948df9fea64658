import Link from 'next/link';
import type { OrderView } from '@/lib/orders/views';
import { DueDay } from './due-note';
import { isOpenExtension } from './room/next-step';

type WaitingNoteProps = {
  order: Pick<OrderView, 'id' | 'placement'>;
  /** The number of unread messages of the buyer. */
  unread: number;
};

/** What waits for the buyer of an order, as links to its room; nothing if nothing does. */
export function WaitingNote({ order: { id, placement }, unread }: WaitingNoteProps) {
  const wait = placement ? describeWait(placement) : null;
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

/** Describes what a placement waits for, if it waits for its buyer. */
function describeWait(placement: NonNullable<OrderView['placement']>): Wait | null {
  const { state, approveDueAt, extension, isLate, mayCancel } = placement;
  if (state === 'delivered') return { text: 'Approve by', dueAt: approveDueAt };
  if (state === 'disputed') return { text: 'Answer the dispute', dueAt: null };
  if (state !== 'accepted' && state !== 'in_revision') return null;
  if (isOpenExtension(extension)) return { text: 'Answer the extension', dueAt: null };
  if (isLate) return { text: 'Late: you can cancel', dueAt: null };
  return mayCancel ? { text: 'You can cancel', dueAt: null } : null;
}
