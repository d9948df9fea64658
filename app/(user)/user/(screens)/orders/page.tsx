import type { Metadata } from 'next';
import { DialogOpener } from '@/app/(user)/user/orders/_components/dialog-opener';
import { OpenDialog } from '@/app/(user)/user/orders/_components/open-dialog';
import {
  invoiceParam,
  listUrl,
  newParam,
  ordersPagePath,
  tabUrl,
} from '@/app/(user)/user/orders/_components/orders-url';
import { type ListedDelivery, reviewColumns } from '@/app/(user)/user/orders/_components/review-list';
import { ApproveBar, SelectInOrder } from '@/app/(user)/user/orders/_components/review-selection';
import { OpenChangeBadge } from '@/components/orders/change-card';
import { WaitingNote } from '@/components/orders/due-note';
import { OrderItem } from '@/components/orders/order-facts';
import { LiveLink } from '@/components/orders/order-links';
import { dueStatusColumn, orderColumns } from '@/components/orders/order-list';
import { UnreadRooms } from '@/components/orders/unread-rooms';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { readsDocumentsOf } from '@/lib/invoices/document-scope';
import { describeReason } from '@/lib/links/describe-reason';
import {
  type BuyerTab,
  buyerOrderView,
  buyerStatuses,
  buyerTabLabels,
  buyerTabNames,
  type OrderView,
} from '@/lib/orders/contract';
import { describeFinding } from '@/lib/orders/describe-finding';
import { listLinkStandings, listNewestChecks } from '@/lib/orders/link-checks/queries';
import { countUnreadMessages, listUnreadRooms } from '@/lib/orders/messages/room';
import { listOrderers } from '@/lib/orders/order/orderers';
import { countBuyerTabs, listInOrder, listOrderedProjects, listOrders } from '@/lib/orders/order/queries';
import { buyerOrdersQuery, toOwnFilter } from '@/lib/orders/own-export';
import { listOpenChanges } from '@/lib/orders/placements/changes/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { listNofollowSites } from '@/lib/sites/catalogue/listed-sites';

const texts = screenTexts(ordersPagePath);

export const metadata: Metadata = { title: texts.title };

const filterNames = ['q', 'status', 'project', 'tab'] as const;

/** Two filters share a row on phones. */
const className = 'w-[calc(50%-0.25rem)] sm:w-44';

/** The empty state of each tab. */
const tabs: Record<BuyerTab, { title: string; text: string }> = {
  review: {
    title: 'Nothing to review',
    text: 'Deliveries appear here until you approve them or ask for a change.',
  },
  waiting: {
    title: 'No orders in progress',
    text: 'Orders appear here while their seller or our team works on them.',
  },
  late: {
    title: 'No late orders',
    text: 'Orders whose delivery is overdue appear here. You can wait, or cancel them for a full refund.',
  },
  repair: {
    title: 'No links to repair',
    text: 'Orders whose link is missing or changed appear here until it is repaired.',
  },
  changes: {
    title: 'No paid changes',
    text: 'Published articles for which you asked for a paid change appear here until it is approved or over.',
  },
};

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:orders');
  const address = await searchParams;
  // The site picker uses filter parameters of the same names, so the list behind it ignores them.
  const params = oneParam(address, newParam) === 'custom' ? {} : address;
  const page = readIdPageParams(params);
  const { filter } = parseFilters(buyerOrdersQuery, readFilters(params, filterNames));
  const { tab, ...query } = filter;
  const condition = toOwnFilter(query);
  const [{ rows, ...counted }, counts, projects, unreadRooms, inOrder] = await Promise.all([
    listOrders(actor, { ...toOwnFilter(filter), ...page.request }),
    countBuyerTabs(actor, condition),
    listOrderedProjects(actor),
    listUnreadRooms(actor),
    tab === 'review' ? listInOrder(actor, condition) : [],
  ]);
  const ids = rows.map(({ id }) => id);
  const [unread, verdicts, checks, changes, nofollow, orderers] = await Promise.all([
    countUnreadMessages(actor.accountId, ids),
    listLinkStandings(ids),
    listNewestChecks(tab === 'review' || tab === 'repair' ? ids : []),
    listOpenChanges(ids),
    listNofollowSites(tab === 'review' ? rows.flatMap(({ siteId }) => siteId ?? []) : []),
    listOrderers(actor, rows),
  ]);
  const listed = rows.map((row): ListedDelivery => {
    const found = checks.get(row.id);
    return {
      ...buyerOrderView(row),
      unread: unread.get(row.id) ?? 0,
      verdict: verdicts.get(row.id) ?? null,
      found,
      change: changes.get(row.id),
      orderedBy: orderers.get(row.id),
      finding: describeFinding(found, row, { follow: row.siteId === null || !nofollow.has(row.siteId) }),
    };
  });
  const isFiltered = Object.values(query).some(Boolean);
  const billed = new Set(rows.filter((row) => readsDocumentsOf(actor, row)).map(({ id }) => id));
  const hrefs: OrderHrefs = (id) => ({
    detailsHref: listUrl(params, { order: id }),
    invoiceHref: billed.has(id) ? listUrl(params, { [invoiceParam]: id }) : null,
  });
  const isAnswerable = tab === 'review' && !actor.viewing;
  const reviewable = rows.flatMap(({ id, placement }) => (placement ? [{ id, version: placement.version }] : []));

  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ page, filter: query }}
        actions={actor.viewing ? null : <NewOrderButtons packageHref={listUrl(params, { [newParam]: 'package' })} />}
        pathname={ordersPagePath}
        searchParams={params}
        filters={
          projects.length > 0 || isFiltered
            ? [
                { placeholder: 'Search number, website, project…', label: 'Search orders' },
                { param: 'status', label: 'Status', allLabel: 'All statuses', options: buyerStatuses, className },
                {
                  param: 'project',
                  label: 'Project',
                  allLabel: 'All projects',
                  options: projectOptions(projects),
                  className,
                },
              ]
            : []
        }
        listActions={
          <>
            {isAnswerable && rows.length > 0 ? <SelectInOrder deliveries={inOrder} /> : null}
            {counted.total > 0 && !actor.viewing ? <ExportLink pathname={ordersPagePath} filter={filter} /> : null}
          </>
        }
        clearHref={withParams(ordersPagePath, {}, { tab, rows: oneParam(params, 'rows') })}
        caption="My orders"
        columns={tab === 'review' ? reviewColumns(isAnswerable ? ids : null) : buyerColumns(hrefs)}
        rows={listed}
        rowKey={(order) => String(order.id)}
        isSelected={(order) => String(order.id) === oneParam(params, 'order')}
        wide="90rem"
        records="orders"
        noMatch="Try another search, status or project."
        empty={{
          icon: <Icon name="receipt-text" />,
          ...(tab
            ? { title: tabs[tab].title, children: tabs[tab].text }
            : {
                title: 'No orders yet',
                action: <ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>,
                children:
                  'Order a package or choose sites for a project, pay from your wallet, and track each placement here.',
              }),
        }}
      >
        <UnreadRooms rooms={unreadRooms} pathname={ordersPagePath} />
        {counts.all.total > 0 || tab ? (
          <div className="mb-4">
            <Tabs
              label="Orders by step"
              tabs={[...buyerTabNames, 'all' as const].map((name) => ({
                href: tabUrl(params, name === 'all' ? null : name),
                label: name === 'all' ? 'All' : buyerTabLabels[name],
                current: name === (tab ?? 'all'),
                count: formatCount(counts[name]),
              }))}
            />
          </div>
        ) : null}
      </RecordList>
      {isAnswerable ? (
        <ApproveBar
          deliveries={[...reviewable, ...inOrder]}
          inOrder={inOrder.map(({ id }) => id)}
          listKey={JSON.stringify([filter, page.page, page.cursor])}
        />
      ) : null}
      <OpenDialog actor={actor} params={address} />
    </>
  );
}

/** Builds the options of the project filter. Projects with the same domain get a number. */
function projectOptions(projects: readonly { id: string; domain: string }[]): { value: string; label: string }[] {
  const seen = new Map<string, number>();
  return projects.map(({ id, domain }) => {
    const number = (seen.get(domain) ?? 0) + 1;
    seen.set(domain, number);
    return { value: id, label: number === 1 ? domain : `${domain} (${number})` };
  });
}

const getFulfiller = ({ placement }: OrderView): string =>
  placement && placement.state !== 'taken_over' ? 'Publisher' : 'Our team';

type ShownHrefs = { detailsHref: string; invoiceHref: string | null };
/** Returns the URLs that open an order's details and, for who reads it, its invoice. */
type OrderHrefs = (id: number) => ShownHrefs;

function buyerColumns(hrefs: OrderHrefs): Column<ListedDelivery>[] {
  return [
    orderColumns.id,
    {
      ...orderColumns.item,
      cell: (order) => <OrderItem order={order} fulfilledBy={getFulfiller(order)} />,
      className: 'w-[28%] min-w-36 max-w-0',
    },
    {
      ...orderColumns.project,
      cell: (order) => (
        <>
          {orderColumns.project.cell(order)}
          {order.orderedBy ? (
            <span className="block truncate text-muted text-xs">Ordered by {order.orderedBy}</span>
          ) : null}
        </>
      ),
      className: 'w-[20%] min-w-28 max-w-0',
    },
    orderColumns.charged,
    {
      ...dueStatusColumn,
      className: 'min-w-40',
      cell: (order) => (
        <>
          {dueStatusColumn.cell(order)}
          <Notes order={order} />
        </>
      ),
    },
    {
      key: 'link',
      // Not “Live link”: the status beside it may say that it was lost.
      header: 'Link',
      cell: ({ linkUrl }) =>
        linkUrl ? <LiveLink url={linkUrl} /> : <span className="no-value text-subtle">Not yet</span>,
      phone: 'line',
      className: 'w-[26%] min-w-36 max-w-0',
    },
    actionsColumn((order) => <OrderActions order={order} {...hrefs(order.id)} />),
  ];
}

/** Renders what waits for the buyer of an order, and in the tab of repairs what the newest check found. */
function Notes({ order }: { order: ListedDelivery }) {
  return (
    <>
      <WaitingNote order={order} unread={order.unread} change={order.change} />
      {order.change ? (
        <span className="mt-1 block">
          <OpenChangeBadge state={order.change} />
        </span>
      ) : null}
      {order.found?.reasons.map((reason) => (
        <span key={reason} className="block text-muted text-xs">
          {describeReason(reason)}
        </span>
      ))}
    </>
  );
}

/** Renders the two buttons for a new order. Omits a disabled feature. */
async function NewOrderButtons({ packageHref }: { packageHref: string }) {
  const [hasSites, hasPackages] = await Promise.all([isFlagOn('marketplace'), isFlagOn('packages')]);
  return (
    <>
      {hasSites ? (
        <DialogOpener href={`${ordersPagePath}?${newParam}=custom`} icon={<Icon name="list-plus" />}>
          Build Custom
        </DialogOpener>
      ) : null}
      {hasPackages ? (
        <DialogOpener href={packageHref} variant="primary" icon={<Icon name="plus" />}>
          New Order
        </DialogOpener>
      ) : null}
    </>
  );
}

type OrderActionsProps = { order: OrderView } & ShownHrefs;

/** Renders the buyer's actions for an order: its room, its details, its invoice and, once delivered, its file. */
function OrderActions({ order: { id, contentPath }, detailsHref, invoiceHref }: OrderActionsProps) {
  return (
    <span className="inline-flex justify-end gap-1 max-md:flex-wrap">
      <ButtonLink href={`/user/orders/${id}`} size="sm" aria-label={`Open order #${id}`}>
        Open
      </ButtonLink>
      <ButtonLink href={detailsHref} scroll={false} size="sm" variant="ghost" aria-label={`Details of order #${id}`}>
        Details
      </ButtonLink>
      {invoiceHref ? (
        <ButtonLink href={invoiceHref} scroll={false} size="sm" variant="ghost" aria-label={`Invoice of order #${id}`}>
          Invoice
        </ButtonLink>
      ) : null}
      {contentPath ? (
        <a
          href={contentPath}
          download=""
          aria-label={`Download the content of order #${id}`}
          data-tooltip="Download content"
          className={buttonClass({ size: 'sm', variant: 'ghost', square: true })}
        >
          <Icon name="download" />
        </a>
      ) : null}
    </span>
  );
}
