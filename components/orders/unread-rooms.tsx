import Link from 'next/link';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import type { UnreadRooms as Rooms } from '@/lib/orders/messages/room';

type UnreadRoomsProps = {
  rooms: Rooms;
  /** The path of the list, below which the rooms are. */
  pathname: '/user/orders' | '/seller/orders' | '/dashboard/features/orders';
};

/** Renders the newest orders with unread messages, as links to their rooms; nothing without any. */
export function UnreadRooms({ rooms: { orderIds, ...count }, pathname }: UnreadRoomsProps) {
  if (orderIds.length === 0) return null;
  const others = count.total - orderIds.length;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-accent-line bg-accent-soft px-3 py-2 text-ink text-sm">
      <Icon name="message-square" className="text-accent-ink" />
      Unread messages:
      {orderIds.map((id) => (
        <Link
          key={id}
          prefetch={false}
          href={`${pathname}/${id}`}
          aria-label={`Unread messages about order #${id}`}
          className="inline-flex min-h-6 items-center rounded-sm text-accent-ink hover:underline"
        >
          #{id}
        </Link>
      ))}
      {others > 0 ? <span className="text-muted">and {formatCount({ ...count, total: others })} more</span> : null}
    </p>
  );
}
