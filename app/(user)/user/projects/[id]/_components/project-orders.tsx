import { ReceiptText } from 'lucide-react';
import { LiveLink } from '@/components/orders/live-link';
import { OrderCard } from '@/components/orders/order-card';
import { orderColumns } from '@/components/orders/order-columns';
import { type Column, DataTable } from '@/components/table/data-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import type { Actor } from '@/lib/access/actor';
import { listOrders } from '@/lib/orders/queries';
import { buyerOrderView, type OrderView } from '@/lib/orders/views';
import { defaultProjectPageSize, projectPageSizes } from '@/lib/projects/schemas';
import type { ProjectListProps } from './project-list';

/** The orders of a project, newest first; each leads to its details on My Orders. */
export async function ProjectOrders({ actor, ...list }: ProjectListProps & { actor: Actor }) {
  const { project, pathname, searchParams, page } = list;
  const { rows, total } = await listOrders(actor, {
    projectId: project.id,
    limit: page.limit,
    offset: page.offset,
  });
  return (
    <DataTable
      caption={`Orders of ${project.domain}`}
      columns={columns}
      rows={rows.map(buyerOrderView)}
      rowKey={(order) => String(order.id)}
      card={(order) => <OrderCard order={order} actions={<DetailsLink id={order.id} />} />}
      pathname={pathname}
      searchParams={searchParams}
      empty={
        <EmptyState
          icon={<ReceiptText />}
          title="No orders for this project yet"
          action={<ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>}
        >
          Choose sites there and select {project.domain} when you order.
        </EmptyState>
      }
      paging={{ page, total, sizes: projectPageSizes, defaultRows: defaultProjectPageSize }}
    />
  );
}

const columns: Column<OrderView>[] = [
  orderColumns.id,
  { ...orderColumns.item, className: 'w-[40%] min-w-40 max-w-0' },
  orderColumns.charged,
  orderColumns.status,
  {
    key: 'link',
    header: 'Live link',
    cell: (order) => (order.linkUrl ? <LiveLink url={order.linkUrl} /> : <span className="text-subtle">Not yet</span>),
    className: 'w-[40%] min-w-40 max-w-0',
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (order) => <DetailsLink id={order.id} />,
  },
];

function DetailsLink({ id }: { id: number }) {
  return (
    <ButtonLink
      href={`/user/orders?order=${id}`}
      size="sm"
      aria-label={`Details of order #${id}`}
      className="whitespace-nowrap"
    >
      Details
    </ButtonLink>
  );
}
