import Link from 'next/link';
import { BatchBar } from '@/app/(admin)/dashboard/features/orders/_components/batch-bar';
import { BuyerFilter, FulfillerFilter } from '@/app/(admin)/dashboard/features/orders/_components/list-controls';
import { OrderEditor } from '@/app/(admin)/dashboard/features/orders/_components/order-editor';
import { OrderKeys } from '@/app/(admin)/dashboard/features/orders/_components/order-navigation';
import { OrdersTable } from '@/app/(admin)/dashboard/features/orders/_components/orders-table';
import {
  directionParam,
  toOrderListItem,
} from '@/app/(admin)/dashboard/features/orders/_components/orders-table-columns';
import { listTagFilter, TagList } from '@/components/notes/tag-list';
import { DueLine, describeDue } from '@/components/orders/due-note';
import { OrderFacts, targetFact } from '@/components/orders/order-facts';
import { OrderTimeline } from '@/components/orders/order-steps';
import { placementStateLabel } from '@/components/orders/state-badges';
import { UnreadRooms } from '@/components/orders/unread-rooms';
import { screenTexts } from '@/components/shell/screen-texts';
import { ListFrame } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordFrame } from '@/components/table/record-list';
import {
  firstPage,
  oneParam,
  readFilters,
  readIdPageParams,
  type SearchParams,
  withParams,
} from '@/components/table/url';
import type { Fact } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { Tabs } from '@/components/ui/tabs';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import type { CappedCount } from '@/db/count-up-to';
import { type OrderStatus, orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { personalAccount } from '@/lib/access/account-roles';
import { requirePage } from '@/lib/auth/page-guard';
import { countNotes } from '@/lib/notes/notes';
import { listKnownTags, listTags, listTagsOfOrders } from '@/lib/notes/tags';
import { type AdminOrderView, adminOrderDetailsView, adminOrderView } from '@/lib/orders/contract';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { listUnreadRooms } from '@/lib/orders/messages/room';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import { findByParam, getAdminOrder } from '@/lib/orders/order/queries';
import { allOrdersQuery, defaultOrderPageSize, orderPageSizes } from '@/lib/orders/order/schemas';
import { countByStatus, findBuyer, listQueue } from '@/lib/orders/order/staff-queue';
import { parseFilters } from '@/lib/platform/http/parse';
import { listSavedFilters } from '@/lib/users/saved-filters';

const pathname = '/dashboard/features/orders';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const filterNames = ['q', 'status', 'userId', 'fulfilledBy', 'state', 'due', 'mark', 'tag'] as const;
const dueOptions = { today: 'Due today', week: 'Due in 7 days' };
const markOptions = { late: 'Late', disputed: 'Disputed', contact: 'Contact data' };

export default async function AdminOrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readIdPageParams(params, orderPageSizes, defaultOrderPageSize);
  const { filter: query } = parseFilters(allOrdersQuery, {
    ...readFilters(params, [...filterNames, 'sort']),
    order: oneParam(params, directionParam) || undefined,
  });
  const filter = Object.fromEntries(filterNames.map((name) => [name, query[name]]));
  const { fulfilledBy = '', status, sort, order = 'asc' } = query;
  const isOnlyByStatus = filterNames.every((name) => name === 'status' || !query[name]);
  const [{ rows, ...counted }, counts, buyer, seller, unread, knownTags, saved] = await Promise.all([
    // The lists in which an order can be overdue begin with those that are.
    isOnlyByStatus && !sort && (status === undefined || status === 'Processing')
      ? listQueue(status, page.request)
      : listAllOrders({ ...query, ...page.request }),
    isOnlyByStatus ? countByStatus() : null,
    query.userId ? findBuyer(query.userId) : null,
    ['', 'staff', 'seller'].includes(fulfilledBy) ? null : findBuyer(fulfilledBy),
    listUnreadRooms(personalAccount(actor.userId)),
    listKnownTags('order'),
    listSavedFilters(actor.userId, pathname),
  ]);
  const ids = rows.map(({ id }) => id);
  const [tags, verdicts] = await Promise.all([listTagsOfOrders(ids), listLinkStandings(ids)]);
  const listHref = withParams(pathname, params, { order: null, refund: null });
  const editPrefix = `${listHref}${listHref.includes('?') ? '&' : '?'}order=`;
  const views = {
    pathname,
    saved,
    query: buildViewQuery({ ...params, order: undefined }, [...filterNames, directionParam]),
  };

  return (
    <>
      <RecordFrame
        {...texts}
        {...{ pathname, filter }}
        searchParams={params}
        filters={[
          { placeholder: 'Search number, website, buyer, project…', label: 'Search orders' },
          {
            param: 'status',
            label: 'Status',
            allLabel: 'All statuses',
            options: orderStatuses,
            className: 'w-[calc(50%-0.25rem)] md:hidden',
          },
          { param: 'userId', field: <BuyerFilter chosen={buyer} /> },
          { param: 'fulfilledBy', field: <FulfillerFilter chosen={seller} /> },
          {
            param: 'state',
            label: 'Placement',
            allLabel: 'All placements',
            options: placementStates.map((value) => ({ value, label: placementStateLabel(value) })),
          },
          { param: 'due', label: 'Due', allLabel: 'Due any day', options: dueOptions },
          { param: 'mark', label: 'Mark', allLabel: 'All marks', options: markOptions },
          ...listTagFilter(knownTags, query.tag),
        ]}
        listActions={
          <>
            {counted.total > 0 ? <OrderKeys /> : null}
            <SavedViewsButton {...views} />
            {counted.total > 0 ? <ExportLink pathname={pathname} filter={filter} /> : null}
          </>
        }
        note={<SavedViewLinks {...views} />}
        dialog="order"
        records="orders"
        noMatch="Try another search or filter."
        empty={{
          icon: <Icon name="receipt-text" />,
          title: 'No orders yet',
          children: 'Orders appear here once a buyer places one.',
        }}
        table={(empty) => (
          <ListFrame
            {...{ pathname, empty }}
            rowCount={rows.length}
            searchParams={params}
            paging={{ ...counted, page }}
          >
            <OrdersTable
              rows={rows.map((row) =>
                toOrderListItem(adminOrderView(row), verdicts.get(row.id) ?? null, tags.get(row.id)),
              )}
              sort={sort && { key: sort, order }}
              listHref={withParams(pathname, params, { sort: null, [directionParam]: null, order: null, ...firstPage })}
              editPrefix={editPrefix}
              openId={oneParam(params, 'order')}
            />
          </ListFrame>
        )}
      >
        <UnreadRooms rooms={unread} pathname={pathname} />
        <StatusTabs
          current={status}
          counts={counts}
          shown={counted}
          hrefOf={(name) => withParams(pathname, params, { ...firstPage, status: name, order: null, refund: null })}
        />
      </RecordFrame>
      <BatchBar editPrefix={editPrefix} listKey={JSON.stringify(filterNames.map((name) => query[name] ?? ''))} />
      <OrderDialog
        id={oneParam(params, 'order')}
        isRefund={oneParam(params, 'refund') === '1'}
        closeHref={listHref}
        hrefOf={(id) => editPrefix + id}
        listed={ids}
      />
    </>
  );
}

type OrderDialogProps = {
  /** The URL parameter as received; '' if absent. */
  id: string;
  /** Whether the dialog opens with the status Refunded, as the command palette does. Nothing is saved by it. */
  isRefund: boolean;
  closeHref: string;
  hrefOf: (id: number) => string;
  /** The numbers of the orders in the list, in its order. */
  listed: readonly number[];
};

/** Lists who fulfills an order with a placement, for how much, and what is due. */
function sellerFacts({ fulfilledBy, sellerName, sellerEmail, earnsCents = 0, placement }: AdminOrderView): Fact[] {
  if (fulfilledBy !== 'seller' || !placement) return [];
  const due = describeDue(placement, 'staff');
  return [
    ['Fulfilled by', sellerName ? `${sellerName} (${sellerEmail})` : sellerEmail],
    ['Seller earns', <Money key="earns" amountMinor={earnsCents} />],
    ...(due ? [['Due', <DueLine key="due" due={due} />] satisfies Fact] : []),
  ];
}

/** Renders the View / Edit dialog of the order in the URL. */
async function OrderDialog({ id, isRefund, closeHref, hrefOf, listed }: OrderDialogProps) {
  if (id === '') return null;
  const row = await findByParam(id, getAdminOrder);
  if (!row) return <RecordNotFound key={id} noun="order" title="Order not found" closeHref={closeHref} />;
  const order = adminOrderDetailsView(row);
  const subject = { kind: 'order', id: order.id } as const;
  const [timeline, notes, tags, verdicts] = await Promise.all([
    getTimeline(row, 'staff'),
    countNotes(subject),
    listTags(subject),
    listLinkStandings([order.id]),
  ]);
  const buyer = order.userName ? `${order.userName} (${order.userEmail})` : order.userEmail;
  const position = listed.indexOf(order.id);
  const neighborAt = (index: number) => {
    const neighbor = position < 0 ? undefined : listed[index];
    return neighbor === undefined ? null : { id: neighbor, href: hrefOf(neighbor) };
  };
  return (
    <OrderEditor
      key={isRefund ? `${id} refund` : id}
      order={order}
      verdict={verdicts.get(order.id) ?? null}
      statuses={orderStatuses}
      wanted={isRefund ? 'Refunded' : order.status}
      closeHref={closeHref}
      neighbors={{ previous: neighborAt(position - 1), next: neighborAt(position + 1) }}
      facts={
        <div className="grid gap-3">
          <OrderFacts
            order={order}
            extra={[
              ['Buyer', buyer],
              ...sellerFacts(order),
              ...(order.brief ? [targetFact(order)] : []),
              ...(tags.length > 0 ? [['Tags', <TagList key="tags" tags={tags} className="" />] satisfies Fact] : []),
            ]}
          />
          <Link
            prefetch={false}
            href={`${pathname}/${order.id}`}
            className="justify-self-start rounded-sm text-accent-ink text-sm hover:underline"
          >
            Open order page{notes > 0 ? ` (internal notes: ${notes})` : ''}
          </Link>
        </div>
      }
      timeline={<OrderTimeline entries={timeline} />}
    />
  );
}

type StatusTabsProps = {
  /** The status of the list; undefined for all orders. */
  current: OrderStatus | undefined;
  /** The number of orders of each status; null while other filters are set, which only the list is counted with. */
  counts: ReadonlyMap<OrderStatus, CappedCount> | null;
  /** The number of orders in the list. */
  shown: CappedCount;
  /** Returns the URL of the list of a status, null for all. */
  hrefOf: (status: OrderStatus | null) => string;
};

/** Renders the staff's queue by status. On phones the filter of the toolbar takes its place. */
function StatusTabs({ current, counts, shown, hrefOf }: StatusTabsProps) {
  const tab = (status: OrderStatus | null, label: string, count: CappedCount | undefined) => {
    const isCurrent = (current ?? null) === status;
    const found = isCurrent ? shown : count;
    return { href: hrefOf(status), label, current: isCurrent, count: found && formatCount(found) };
  };
  return (
    <div className="mb-4 max-md:hidden">
      <Tabs
        label="Orders by status"
        tabs={[
          tab(null, 'All', counts ? addUp([...counts.values()]) : undefined),
          ...orderStatuses.map((status) => tab(status, status, counts?.get(status))),
        ]}
      />
    </div>
  );
}

const addUp = (counts: CappedCount[]): CappedCount => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  isCapped: counts.some(({ isCapped }) => isCapped),
});
