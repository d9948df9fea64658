import { FileText } from 'lucide-react';
import Link from 'next/link';
import { LiveLink } from '@/components/orders/live-link';
import { orderColumns } from '@/components/orders/order-columns';
import { PlacementStateBadge } from '@/components/orders/placement-state-badge';
import type { Column } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button-class';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AdminOrderView } from '@/lib/orders/views';

/** The fields of an order that the columns display: the rest of an order is not sent to the browser. */
export type OrderListItem = ReturnType<typeof toOrderListItem>;

export function toOrderListItem(order: AdminOrderView) {
  const { id, createdAt, userName, userEmail, website, postType, packageName, quantity, projectDomain } = order;
  const { chargedCents, price, currency, status, linkUrl, contentFileName, placement, fulfilledBy, sellerName } = order;
  const item = { website, postType, packageName, quantity, projectDomain };
  return {
    id,
    createdAt,
    userName,
    userEmail,
    ...item,
    chargedCents,
    price,
    currency,
    status,
    linkUrl,
    contentFileName,
    fulfiller: fulfilledBy === 'seller' ? sellerName || order.sellerEmail || '' : null,
    state: placement && fulfilledBy === 'seller' ? placement.state : null,
    dueAt: placement && dueDates[placement.state]?.(placement),
    isLate: placement?.isLate === true,
  };
}

type PlacementView = NonNullable<AdminOrderView['placement']>;

/** When the next step of the seller is due. */
const dueDates: Partial<Record<PlacementView['state'], (placement: PlacementView) => string | null>> = {
  offered: ({ answerDueAt }) => answerDueAt,
  accepted: ({ deliveryDueAt }) => deliveryDueAt,
  in_revision: ({ deliveryDueAt }) => deliveryDueAt,
};

export type OrdersTableColumn = Column<OrderListItem> & {
  /** The classes of the header alone: the width of the column. */
  width?: string;
};

const placementColumns: readonly OrdersTableColumn[] = [
  {
    key: 'fulfilled',
    header: 'Fulfilled by',
    width: 'w-[14%] min-w-28',
    cell: ({ fulfiller, state }) => (
      <>
        <span className={fulfiller === null ? 'text-muted' : 'block truncate text-ink'}>{fulfiller ?? 'Staff'}</span>
        {state ? <PlacementStateBadge state={state} /> : null}
      </>
    ),
    className: 'order-3 col-span-2 md:max-w-0',
  },
  {
    key: 'due',
    header: 'Due',
    cell: ({ dueAt, isLate }) =>
      dueAt ? (
        <span className="inline-flex flex-wrap items-center gap-1.5">
          <TimeAgo at={dueAt} />
          {isLate ? <Badge tone="red">Late</Badge> : null}
        </span>
      ) : (
        <span className="text-subtle max-md:invisible">–</span>
      ),
    className: 'order-4 col-span-2 whitespace-nowrap max-md:text-right',
  },
];

/**
 * The columns of the Orders screen, in their order. To add a column, add it here. Below 768 px a row is a card, a grid of
 * four columns, in which `order-*` and `col-span-*` place the cell; they have no effect in a table. `max-w-0` lets a long
 * text be truncated instead of widening the column.
 *
 * @param editPrefix the URL that opens an order's dialog, without the id at its end
 * @param hasPlacements whether sellers fulfill orders
 */
export const ordersTableColumns = (editPrefix: string, hasPlacements: boolean): readonly OrdersTableColumn[] => [
  {
    ...orderColumns.id,
    className: 'order-6 col-span-2 self-center *:items-baseline *:gap-1.5 max-md:text-xs max-md:*:flex',
  },
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
    className: 'order-2 col-span-2 md:max-w-0',
  },
  { ...orderColumns.item, width: 'w-[24%] min-w-32', className: 'col-span-3 md:max-w-0' },
  {
    ...orderColumns.project,
    width: 'w-[16%] min-w-24',
    className: 'order-3 col-span-2 max-w-[40vw] max-md:text-right max-md:text-muted max-md:text-xs md:max-w-0',
  },
  { ...orderColumns.charged, className: 'order-1' },
  { ...orderColumns.status, className: 'order-5 self-center whitespace-nowrap' },
  ...(hasPlacements ? placementColumns : []),
  {
    key: 'delivery',
    header: 'Delivery',
    width: 'w-[24%] min-w-32',
    cell: (order) => <Delivery {...order} />,
    className: 'order-4 col-span-4 max-md:has-data-empty:hidden md:max-w-0',
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
    className: 'order-7 bg-inherit md:sticky md:right-0',
  },
];

function Delivery({ linkUrl, contentFileName }: Pick<OrderListItem, 'linkUrl' | 'contentFileName'>) {
  if (!linkUrl && contentFileName === null) {
    return (
      <span data-empty="" className="text-subtle">
        Nothing yet
      </span>
    );
  }
  return (
    <>
      {linkUrl ? <LiveLink url={linkUrl} className="min-h-6" /> : null}
      {contentFileName === null ? null : (
        <span title={contentFileName} className="flex items-center gap-1 text-muted text-xs">
          <FileText className="size-3.5" />
          <span className="truncate">{contentFileName}</span>
        </span>
      )}
    </>
  );
}
