import Link from 'next/link';
import { TagList } from '@/components/notes/tag-list';
import { DueLine, describeDue } from '@/components/orders/due-note';
import { OrderItem } from '@/components/orders/order-facts';
import { LiveLink } from '@/components/orders/order-links';
import { orderColumns } from '@/components/orders/order-list';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import type { Column } from '@/components/table/data-table';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { LinkStanding } from '@/db/schema/links';
import type { AdminOrderView } from '@/lib/orders/contract';
import { OrderCheckbox, OrdersCheckbox } from './list-controls';

/** The URL parameter of the direction of the sort order: `order` opens an order. */
export const directionParam = 'dir';

/** The fields of an order that the columns display: the rest of an order is not sent to the browser. */
export type OrderListItem = ReturnType<typeof toOrderListItem>;

export function toOrderListItem(order: AdminOrderView, verdict: LinkStanding | null, tags?: readonly string[]) {
  const { id, createdAt, userName, userEmail, website, postType, packageName, quantity, projectDomain } = order;
  const { chargedCents, price, currency, status, linkUrl, contentFileName, placement, fulfilledBy } = order;
  const offer = placement && fulfilledBy === 'seller' ? toOffer(order, placement) : null;
  return {
    ...{ id, createdAt, userName, userEmail },
    ...{ website, postType, packageName, quantity, projectDomain },
    ...{ chargedCents, price, currency, status, linkUrl, contentFileName, verdict },
    // Omitted, not undefined, which would be sent.
    ...(placement && { placement: pickStatus(placement) }),
    ...(offer && { offer }),
    ...(tags && { tags }),
  };
}

/** Returns what decides the status of an order. */
const pickStatus = ({ state, isLate, repairDueAt }: NonNullable<AdminOrderView['placement']>) => ({
  ...{ state, isLate },
  ...(repairDueAt && { repairDueAt }),
});

/** Returns the fields of an order that a seller fulfills. */
const toOffer = ({ sellerName, sellerEmail }: AdminOrderView, placement: NonNullable<AdminOrderView['placement']>) => ({
  fulfiller: sellerName || sellerEmail || '',
  due: describeDue(placement, 'staff'),
});

/** orders-table.module.css styles the cells, by `key`. */
export type OrdersTableColumn = Omit<Column<OrderListItem>, 'className' | 'key'> & {
  key: string;
  /** The classes of the header alone: the width of the column. */
  width?: string;
};

/**
 * Returns the columns of the Orders screen, in their order. To add a column, add it here, and place its cell in the
 * cards of narrow screens in orders-table.module.css.
 *
 * @param editPrefix the URL that opens an order's dialog, without the id at its end
 * @param ids the numbers of the orders on the page
 */
export const ordersTableColumns = (editPrefix: string, ids: readonly number[]): readonly OrdersTableColumn[] => [
  {
    key: 'select',
    header: <OrdersCheckbox ids={ids} />,
    cell: ({ id }) => <OrderCheckbox id={id} />,
    // Without the header of the table on phones, the checkbox would have the focus unseen.
    width: 'w-8 max-md:hidden',
  },
  { ...orderColumns.id, sortKey: 'id', firstOrder: 'desc' },
  {
    key: 'buyer',
    header: 'Buyer',
    width: 'w-[20%] min-w-26',
    cell: ({ userName, userEmail }) => (
      <>
        <span className="block truncate text-ink">{userName || userEmail}</span>
        {userName ? <span className="block truncate text-muted text-xs">{userEmail}</span> : null}
      </>
    ),
  },
  {
    ...orderColumns.item,
    width: 'w-[26%] min-w-40',
    cell: (order) => (
      <>
        <OrderItem order={order} fulfilledBy={order.projectDomain} />
        {order.tags ? <TagList tags={order.tags} /> : null}
      </>
    ),
  },
  { ...orderColumns.charged, sortKey: 'charged', firstOrder: 'desc' },
  {
    key: 'status',
    header: 'Status',
    sortKey: 'status',
    cell: (order) => <OrderStatusBadge order={order} side="staff" />,
  },
  {
    key: 'fulfilled',
    header: 'Fulfilled by',
    width: 'w-[14%] min-w-28',
    cell: ({ offer }) =>
      offer ? (
        <span className="block truncate text-ink">{offer.fulfiller}</span>
      ) : (
        <span className="text-muted">Staff</span>
      ),
  },
  {
    key: 'delivery',
    header: 'Delivery',
    sortKey: 'due',
    width: 'w-[24%] min-w-44',
    cell: (order) => <Delivery {...order} />,
  },
  {
    key: 'edit',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: ({ id }) => (
      <Link
        prefetch={false}
        href={editPrefix + id}
        scroll={false}
        aria-label={`View / Edit order #${id}`}
        className={buttonClass({ size: 'sm' })}
      >
        View / Edit
      </Link>
    ),
    // Keeps the button visible when the table is wider than its frame.
    width: 'md:sticky md:right-0',
  },
];

/** Renders when an order is due, and what was delivered. */
function Delivery({ linkUrl, contentFileName, offer }: OrderListItem) {
  const due = offer?.due;
  if (!due && !linkUrl && contentFileName === null) {
    return (
      <span data-empty="" className="text-subtle">
        Nothing yet
      </span>
    );
  }
  return (
    <>
      {due ? <DueLine due={due} /> : null}
      {linkUrl ? <LiveLink url={linkUrl} className="min-h-6" /> : null}
      {contentFileName === null ? null : (
        <span data-tooltip={contentFileName} className="flex items-center gap-1 text-muted text-xs">
          <Icon name="file-text" className="size-3.5" />
          <span className="truncate">{contentFileName}</span>
        </span>
      )}
    </>
  );
}
