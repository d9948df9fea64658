import Link from 'next/link';
import { DeliveryNote } from '@/components/orders/delivery-note';
import { WaitingNote } from '@/components/orders/due-note';
import { OrderItem } from '@/components/orders/order-facts';
import { LiveLink } from '@/components/orders/order-links';
import { type CheckedOrder, orderColumns } from '@/components/orders/order-list';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { ButtonLink } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ChangeState } from '@/db/schema/order-changes';
import type { Finding } from '@/lib/orders/describe-finding';
import type { NewestCheck } from '@/lib/orders/link-checks/queries';
import { ReviewActions } from './buyer-actions';
import { DeliveriesCheckbox, DeliveryCheckbox } from './review-selection';

/** A delivery to review, with what the newest check of its link found. */
export type ListedDelivery = CheckedOrder & {
  /** The number of unread messages. */
  unread: number;
  /** Undefined before the first check. */
  found: NewestCheck | undefined;
  finding: Finding | null;
  /** The state of the open paid change; undefined without one. */
  change: ChangeState | undefined;
  /** The name of the member who ordered; undefined in a personal account. */
  orderedBy: string | undefined;
};

/** Lists the columns of the deliveries to review. @param ids the orders of the page; null in a view by staff, who cannot answer */
export const reviewColumns = (ids: readonly number[] | null): Column<ListedDelivery>[] => [
  ...(ids
    ? [
        {
          key: 'select',
          header: <DeliveriesCheckbox ids={ids} />,
          phone: 'select',
          cell: ({ id }) => <DeliveryCheckbox id={id} />,
        } satisfies Column<ListedDelivery>,
      ]
    : []),
  {
    key: 'id',
    header: 'Order',
    cell: (order) => <OrderNumber order={order} />,
  },
  {
    ...orderColumns.item,
    cell: (order) => <OrderItem order={order} fulfilledBy={order.projectDomain} />,
    className: 'w-[26%] min-w-36 max-w-0',
  },
  {
    key: 'check',
    header: 'Link check',
    cell: (order) => <Check order={order} />,
    className: 'w-[26%] min-w-44',
    phone: 'line',
  },
  {
    key: 'link',
    header: 'Delivered link',
    cell: (order) => <FoundLink order={order} />,
    className: 'w-[30%] min-w-44 max-w-0',
    phone: 'line',
  },
  { key: 'due', header: 'Due', cell: (order) => <WaitingNote order={order} unread={order.unread} /> },
  orderColumns.charged,
  ...(ids
    ? [
        actionsColumn<ListedDelivery>((order) => (
          <span className="inline-flex flex-wrap justify-end gap-1">
            <Actions order={order} />
          </span>
        )),
      ]
    : []),
];

function OrderNumber({ order: { id, createdAt } }: { order: ListedDelivery }) {
  return (
    <span className="block whitespace-nowrap">
      <Link
        prefetch={false}
        href={`/user/orders/${id}`}
        aria-label={`Open order #${id}`}
        className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
      >
        #{id}
      </Link>
      <TimeAgo at={createdAt} className="block text-muted text-xs" />
    </span>
  );
}

function Check({ order: { found, placement } }: { order: ListedDelivery }) {
  return found ? (
    <DeliveryNote check={found} reason={placement?.deliveryReason ?? null} />
  ) : (
    <span className="text-subtle">Not yet</span>
  );
}

/** Renders the delivered page, and the anchor and the `rel` of the link as the newest check found them. */
function FoundLink({ order: { placement, found } }: { order: ListedDelivery }) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)] justify-items-start">
      {placement?.deliveredUrl ? <LiveLink url={placement.deliveredUrl} /> : null}
      {found?.found ? (
        <span className="max-w-full truncate text-muted text-xs">
          {found.anchor ? `“${found.anchor}”` : 'No anchor text'} · {found.rel ? `rel ${found.rel}` : 'Dofollow'}
        </span>
      ) : null}
    </span>
  );
}

/** Renders the answers to a delivery. Without a change left, a problem leads to the order, where a dispute is opened. */
function Actions({ order }: { order: ListedDelivery }) {
  const { id, placement, finding } = order;
  if (!placement) return null;
  return (
    <>
      {finding && placement.revisionsLeft === 0 ? (
        <ButtonLink href={`/user/orders/${id}`} size="sm" variant="primary" aria-label={`Open a dispute: order #${id}`}>
          Open a dispute
        </ButtonLink>
      ) : null}
      <ReviewActions order={order} placement={placement} finding={finding} isListed />
    </>
  );
}
