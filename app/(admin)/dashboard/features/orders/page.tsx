import { Download, ReceiptText } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { OrderFacts } from '@/components/orders/order-facts';
import { OrderTimeline } from '@/components/orders/order-timeline';
import { placementStateLabel } from '@/components/orders/placement-state-badge';
import { UnreadRooms } from '@/components/orders/unread-rooms';
import { NoMatch, PageOutOfRange } from '@/components/table/empty-list';
import { FilterSelect } from '@/components/table/filter-select';
import { firstPage, readIdPageParams } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import { RecordDialog } from '@/components/table/record-dialog';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button-class';
import { DialogBody } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import type { Fact } from '@/components/ui/fact-list';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { requirePage } from '@/lib/auth/page-guard';
import { findBuyer } from '@/lib/orders/buyers';
import { listAllOrders } from '@/lib/orders/desk-queries';
import { findByParam } from '@/lib/orders/find-by-param';
import { listUnreadRooms } from '@/lib/orders/messages/read';
import { getAdminOrder } from '@/lib/orders/queries';
import { allOrdersQuery, defaultOrderPageSize, orderPageSizes } from '@/lib/orders/schemas';
import { getTimeline } from '@/lib/orders/timeline';
import { type AdminOrderView, adminOrderView } from '@/lib/orders/views';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { OrderEditor } from './_components/order-editor';
import { OrdersTable } from './_components/orders-table';
import { toOrderListItem } from './_components/orders-table-columns';
import { BuyerFilter, FulfillerFilter } from './_components/user-filter';

export const metadata: Metadata = { title: 'Admin · Orders' };

const pathname = '/dashboard/features/orders';
const filterNames = ['q', 'status', 'userId', 'fulfilledBy', 'state', 'due', 'mark'] as const;
const dueOptions = [
  { value: 'today', label: 'Due today' },
  { value: 'week', label: 'Due in 7 days' },
];
const markOptions = [
  { value: 'late', label: 'Late' },
  { value: 'disputed', label: 'Disputed' },
  { value: 'contact', label: 'Contact data' },
];

export default async function AdminOrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readIdPageParams(params, orderPageSizes, defaultOrderPageSize);
  const query = allOrdersQuery.parse({
    ...Object.fromEntries(filterNames.map((name) => [name, oneParam(params, name).slice(0, 64)])),
    q: oneParam(params, 'q').slice(0, 200),
    limit: page.limit,
    offset: page.offset,
  });
  const { fulfilledBy = '' } = query;
  const [{ rows, total, isCapped, next, previous }, buyer, seller, isOn, unread] = await Promise.all([
    listAllOrders({ ...query, cursor: page.cursor }),
    query.userId ? findBuyer(query.userId) : null,
    ['', 'staff', 'seller'].includes(fulfilledBy) ? null : findBuyer(fulfilledBy),
    isFlagOn('seller-orders'),
    listUnreadRooms(actor.userId),
  ]);
  // An installation without orders by sellers has none of their columns and filters.
  const hasPlacements = isOn || rows.some(({ placement }) => placement !== null);
  const isFiltered = filterNames.some((name) => query[name]);
  const noFilter = Object.fromEntries(filterNames.map((name) => [name, null]));
  const clearHref = withParams(pathname, params, { ...noFilter, ...firstPage, order: null });
  const listHref = withParams(pathname, params, { order: null });

  return (
    <>
      <PageHeader
        title="Admin · Orders"
        description="All buyers’ orders, with status, live link, content and refunds."
      />
      <UnreadRooms rooms={unread} pathname={pathname} />
      <Toolbar
        clearHref={isFiltered ? clearHref : null}
        actions={
          total > 0 ? (
            <a
              href={withParams(
                `${pathname}/export`,
                {},
                Object.fromEntries(filterNames.map((name) => [name, query[name]])),
              )}
              download
              className={buttonClass({ size: 'sm' })}
            >
              <Download className="-ml-0.5 size-4" />
              Export CSV
            </a>
          ) : null
        }
      >
        <SearchInput placeholder="Search number, website, buyer, project…" label="Search orders" />
        <FilterSelect
          param="status"
          label="Status"
          allLabel="All statuses"
          options={orderStatuses.map((value) => ({ value, label: value }))}
        />
        <BuyerFilter chosen={buyer} />
        {hasPlacements || isFiltered ? (
          <>
            <FulfillerFilter chosen={seller} />
            <FilterSelect
              param="state"
              label="Placement"
              allLabel="All placements"
              options={placementStates.map((value) => ({ value, label: placementStateLabel(value) }))}
            />
            <FilterSelect param="due" label="Due" allLabel="Due any day" options={dueOptions} />
            <FilterSelect param="mark" label="Mark" allLabel="All marks" options={markOptions} />
          </>
        ) : null}
      </Toolbar>
      <div className="rounded-lg border border-line bg-surface">
        {rows.length > 0 ? (
          <OrdersTable
            rows={rows.map((row) => toOrderListItem(adminOrderView(row)))}
            hasPlacements={hasPlacements}
            editPrefix={`${listHref}${listHref.includes('?') ? '&' : '?'}order=`}
            openId={oneParam(params, 'order')}
          />
        ) : total > 0 ? (
          <PageOutOfRange
            lastPageHref={withParams(pathname, params, {
              ...firstPage,
              page: Math.ceil(total / page.rows),
              order: null,
            })}
          />
        ) : isFiltered ? (
          <NoMatch title="No matching orders" clearHref={clearHref}>
            Try another search or filter.
          </NoMatch>
        ) : (
          <EmptyState icon={<ReceiptText />} title="No orders yet">
            Orders appear here once a buyer places one.
          </EmptyState>
        )}
        {total > 0 ? (
          <Pagination
            pathname={pathname}
            searchParams={params}
            page={page}
            total={total}
            capped={isCapped}
            cursors={{ next, previous }}
            sizes={orderPageSizes}
            defaultRows={defaultOrderPageSize}
          />
        ) : null}
      </div>
      <OrderDialog id={oneParam(params, 'order')} closeHref={listHref} />
    </>
  );
}

type OrderDialogProps = {
  /** The URL parameter as received; '' if absent. */
  id: string;
  closeHref: string;
};

/** Who fulfills an order with a placement, and for how much. */
const sellerFacts = ({ fulfilledBy, sellerName, sellerEmail, earnsCents = 0 }: AdminOrderView): Fact[] =>
  fulfilledBy === 'seller'
    ? [
        ['Fulfilled by', sellerName ? `${sellerName} (${sellerEmail})` : sellerEmail],
        ['Seller earns', <Money key="earns" amountMinor={earnsCents} />],
      ]
    : [];

/** The View / Edit dialog of the order in the URL. */
async function OrderDialog({ id, closeHref }: OrderDialogProps) {
  if (id === '') return null;
  const row = await findByParam(id, getAdminOrder);
  if (!row) {
    return (
      <RecordDialog key={id} title="Order not found" closeHref={closeHref} size="sm">
        <DialogBody>
          <Alert tone="warning">This order does not exist or was deleted.</Alert>
        </DialogBody>
      </RecordDialog>
    );
  }
  const order = adminOrderView(row);
  const timeline = await getTimeline(order, 'staff');
  const buyer = order.userName ? `${order.userName} (${order.userEmail})` : order.userEmail;
  return (
    <OrderEditor
      key={id}
      order={order}
      statuses={orderStatuses}
      closeHref={closeHref}
      facts={
        <div className="grid gap-3">
          <OrderFacts order={order} extra={[['Buyer', buyer], ...sellerFacts(order)]} />
          <Link
            prefetch={false}
            href={`${pathname}/${order.id}`}
            className="justify-self-start rounded-sm text-accent-ink text-sm hover:underline"
          >
            Messages and details
          </Link>
        </div>
      }
      timeline={<OrderTimeline entries={timeline} />}
    />
  );
}
