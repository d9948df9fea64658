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
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { orderStatuses } from '@/db/schema/orders';
import { requirePage } from '@/lib/auth/page-guard';
import { listOrders } from '@/lib/orders/queries';
import { ownOrdersQuery } from '@/lib/orders/schemas';
import { orderView } from '@/lib/orders/views';
import { buyerColumns } from './_components/buyer-columns';
import { OrderActions } from './_components/order-actions';
import { OrderDetails } from './_components/order-details';

export const metadata: Metadata = { title: 'My Orders' };

const pathname = '/user/orders';
const sizes = [25, 50, 100];
const defaultRows = 25;

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  const params = await searchParams;
  const page = readPageParams(params, sizes, defaultRows);
  const { q, status } = ownOrdersQuery.parse({
    q: oneParam(params, 'q').slice(0, 200),
    status: oneParam(params, 'status'),
  });
  const { rows, total } = await listOrders(actor, { q, status, limit: page.limit, offset: page.offset });
  const orders = rows.map(orderView);
  const isFiltered = Boolean(q || status);
  const clearHref = withParams(pathname, params, { q: null, status: null, page: null, order: null });
  const detailsHref = (id: number) => withParams(pathname, params, { order: id });

  return (
    <>
      <PageHeader
        title="My Orders"
        description="Every placement you ordered, its status, live link and content."
        actions={
          <ButtonLink href="/user/marketplace" variant="primary">
            Order from the marketplace
          </ButtonLink>
        }
      />
      {total > 0 || isFiltered ? (
        <Toolbar clearHref={isFiltered ? clearHref : null}>
          <SearchInput placeholder="Search number, website, project…" label="Search orders" />
          <FilterSelect
            param="status"
            label="Status"
            allLabel="All statuses"
            options={orderStatuses.map((value) => ({ value, label: value }))}
          />
        </Toolbar>
      ) : null}
      <DataTable
        caption="My orders"
        columns={buyerColumns(detailsHref)}
        rows={orders}
        rowKey={(order) => String(order.id)}
        card={(order) => (
          <OrderCard order={order} actions={<OrderActions order={order} detailsHref={detailsHref(order.id)} />} />
        )}
        isSelected={(order) => String(order.id) === oneParam(params, 'order')}
        pathname={pathname}
        searchParams={params}
        wide
        empty={
          isFiltered ? (
            <NoMatch title="No order matches" clearHref={clearHref}>
              Try another word or status.
            </NoMatch>
          ) : (
            <NoOrders />
          )
        }
        footer={
          total > 0 ? (
            <Pagination
              pathname={pathname}
              searchParams={params}
              page={page}
              total={total}
              sizes={sizes}
              defaultRows={defaultRows}
            />
          ) : null
        }
      />
      <OrderDetails
        actor={actor}
        id={oneParam(params, 'order')}
        closeHref={withParams(pathname, params, { order: null })}
      />
    </>
  );
}

function NoOrders() {
  return (
    <EmptyState
      icon={<ReceiptText />}
      title="No orders yet"
      action={<ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>}
    >
      Choose sites for a project, pay from your wallet, and follow each placement here.
    </EmptyState>
  );
}
