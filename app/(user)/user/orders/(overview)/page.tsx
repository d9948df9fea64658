import { ReceiptText } from 'lucide-react';
import type { Metadata } from 'next';
import { OrderCard } from '@/components/orders/order-card';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filter-select';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { buyerStatuses, statusesSeenAs } from '@/lib/orders/buyer-status';
import { listOrderedProjects, listOrders } from '@/lib/orders/queries';
import { buyerOrderView } from '@/lib/orders/views';
import { buyerColumns } from '../_components/buyer-columns';
import { NewOrderButtons } from '../_components/new-order-buttons';
import { OpenDialog } from '../_components/open-dialog';
import { OrderActions } from '../_components/order-actions';
import { listAddress, newParam, ordersScreen } from '../_components/orders-address';
import { projectOptions } from '../_components/project-options';

export const metadata: Metadata = { title: 'My Orders' };

const sizes = [25, 50, 100];
const defaultRows = 25;
/** Two filters share a line on a phone. */
const half = 'w-[calc(50%-0.25rem)] sm:w-44';

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  const address = await searchParams;
  // The picker of sites has filters of the same names: the list behind it is unfiltered.
  const params = oneParam(address, newParam) === 'custom' ? {} : address;
  const page = readPageParams(params, sizes, defaultRows);
  const q = oneParam(params, 'q').trim().slice(0, 200);
  const statuses = statusesSeenAs(oneParam(params, 'status'));
  const projectId = oneParam(params, 'project').slice(0, 64);
  const [{ rows, total }, projects] = await Promise.all([
    listOrders(actor, { q, statuses, projectId, limit: page.limit, offset: page.offset }),
    listOrderedProjects(actor),
  ]);
  const isFiltered = Boolean(q || statuses || projectId);
  const clearHref = withParams(ordersScreen, {}, { rows: oneParam(params, 'rows') });
  const detailsHref = (id: number) => listAddress(params, { order: id });

  return (
    <>
      <PageHeader
        title="My Orders"
        description="Every placement you ordered, its status, live link and content."
        actions={<NewOrderButtons packageHref={listAddress(params, { [newParam]: 'package' })} />}
      />
      {projects.length > 0 || isFiltered ? (
        <Toolbar clearHref={isFiltered ? clearHref : null}>
          <SearchInput placeholder="Search number, website, project…" label="Search orders" />
          <FilterSelect
            param="status"
            label="Status"
            allLabel="All statuses"
            options={buyerStatuses}
            className={half}
          />
          <FilterSelect
            param="project"
            label="Project"
            allLabel="All projects"
            options={projectOptions(projects)}
            className={half}
          />
        </Toolbar>
      ) : null}
      <DataTable
        caption="My orders"
        columns={buyerColumns(detailsHref)}
        rows={rows.map(buyerOrderView)}
        rowKey={(order) => String(order.id)}
        card={(order) => (
          <OrderCard order={order} actions={<OrderActions order={order} detailsHref={detailsHref(order.id)} />} />
        )}
        isSelected={(order) => String(order.id) === oneParam(params, 'order')}
        pathname={ordersScreen}
        searchParams={params}
        wide
        empty={
          isFiltered ? (
            <NoMatch title="No order matches" clearHref={clearHref}>
              Try another word, status or project.
            </NoMatch>
          ) : (
            <NoOrders />
          )
        }
        paging={{ page, total, sizes, defaultRows }}
      />
      <OpenDialog actor={actor} params={address} />
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
      Order a package or choose sites for a project, pay from your wallet, and follow each placement here.
    </EmptyState>
  );
}
