import { ReceiptText } from 'lucide-react';
import type { Metadata } from 'next';
import { OrderCard } from '@/components/orders/order-card';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filter-select';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { orderStatuses } from '@/db/schema/orders';
import { requirePage } from '@/lib/auth/page-guard';
import { listAllOrders, listBuyers } from '@/lib/orders/queries';
import { allOrdersQuery, defaultOrderPageSize, orderPageSizes } from '@/lib/orders/schemas';
import { adminOrderView } from '@/lib/orders/views';
import { deskColumns } from './_components/desk-columns';
import { DeskDialog } from './_components/desk-dialog';
import { EditLink } from './_components/edit-link';

export const metadata: Metadata = { title: 'Admin · Orders' };

const pathname = '/dashboard/features/orders';

export default async function AdminOrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readPageParams(params, orderPageSizes, defaultOrderPageSize);
  const query = allOrdersQuery.parse({
    q: oneParam(params, 'q').slice(0, 200),
    status: oneParam(params, 'status'),
    userId: oneParam(params, 'userId').slice(0, 64),
    limit: page.limit,
    offset: page.offset,
  });
  const [{ rows, total }, buyers] = await Promise.all([listAllOrders(query), listBuyers()]);
  const isFiltered = Boolean(query.q || query.status || query.userId);
  const clearHref = withParams(pathname, params, { q: null, status: null, userId: null, page: null, order: null });
  const editHref = (id: number) => withParams(pathname, params, { order: id });

  return (
    <>
      <PageHeader
        title="Admin · Orders"
        description="Every order of every buyer: status, live link, content and refunds."
      />
      <Toolbar clearHref={isFiltered ? clearHref : null}>
        <SearchInput placeholder="Search number, website, buyer, project…" label="Search orders" />
        <FilterSelect
          param="status"
          label="Status"
          allLabel="All statuses"
          options={orderStatuses.map((value) => ({ value, label: value }))}
        />
        <FilterSelect
          param="userId"
          label="User"
          allLabel="All users"
          className="w-52"
          options={buyers.map(({ id, name, email }) => ({ value: id, label: name ? `${name} (${email})` : email }))}
        />
      </Toolbar>
      <DataTable
        caption="Orders"
        columns={deskColumns(editHref)}
        rows={rows.map(adminOrderView)}
        rowKey={(order) => String(order.id)}
        card={(order) => (
          <OrderCard
            order={order}
            note={`${order.userName || order.userEmail} for ${order.projectDomain}`}
            actions={<EditLink id={order.id} href={editHref(order.id)} />}
          />
        )}
        isSelected={(order) => String(order.id) === oneParam(params, 'order')}
        pathname={pathname}
        searchParams={params}
        wide
        empty={
          isFiltered ? (
            <NoMatch title="No order matches" clearHref={clearHref}>
              Try another word, status or user.
            </NoMatch>
          ) : (
            <EmptyState icon={<ReceiptText />} title="No orders yet">
              Orders appear here as soon as a buyer places one.
            </EmptyState>
          )
        }
        footer={
          total > 0 ? (
            <Pagination
              pathname={pathname}
              searchParams={params}
              page={page}
              total={total}
              sizes={orderPageSizes}
              defaultRows={defaultOrderPageSize}
            />
          ) : null
        }
      />
      <DeskDialog id={oneParam(params, 'order')} closeHref={withParams(pathname, params, { order: null })} />
    </>
  );
}
