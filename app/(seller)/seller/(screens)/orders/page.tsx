import type { Metadata } from 'next';
import {
  type ListedOffer,
  OfferBar,
  OfferCheckbox,
  OffersCheckbox,
} from '@/app/(seller)/seller/orders/_components/offer-selection';
import {
  DueTime,
  Found,
  MoneyAtStake,
  OrderLink,
  type OrderToRepair,
  PlacementBadge,
  ReportRepair,
} from '@/app/(seller)/seller/orders/_components/order-cells';
import { OpenChangeBadge } from '@/components/orders/change-card';
import { UnreadRooms } from '@/components/orders/unread-rooms';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { formatCount, formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ChangeState } from '@/db/schema/order-changes';
import { personalAccount } from '@/lib/access/account-roles';
import { requirePage } from '@/lib/auth/page-guard';
import { type PlacementTab, placementTabNames } from '@/lib/orders/contract';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { listUnreadRooms } from '@/lib/orders/messages/room';
import {
  countSellerOrders,
  isDueTab,
  listDueOrders,
  listSellerOrders,
  type SellerOrderRow,
  type SellerOrderView,
  sellerOrderView,
} from '@/lib/orders/order/seller-queries';
import { listOpenChanges } from '@/lib/orders/placements/changes/queries';
import { formatWorkDays, startClock } from '@/lib/orders/placements/clocks';
import { getPlacementRules, type PlacementRules } from '@/lib/settings/placement-rules';

const pathname = '/seller/orders';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

const tabs: Record<PlacementTab, { label: string; title: string; text: string }> = {
  new: {
    label: 'New',
    title: 'No new orders',
    text: 'Orders of your sites appear here. Accept or decline each one before its time runs out.',
  },
  publish: {
    label: 'To publish',
    title: 'Nothing to publish',
    text: 'Orders that you accept, and requested changes, appear here until you deliver them.',
  },
  review: {
    label: 'With the buyer',
    title: 'No orders with the buyer',
    text: 'Delivered orders appear here until the buyer approves them, and disputed ones until they are settled.',
  },
  changes: {
    label: 'Paid changes',
    title: 'No paid changes',
    text: 'Published articles that a buyer wants to change for a price appear here until the change is approved or over.',
  },
  repair: {
    label: 'To repair',
    title: 'No links to repair',
    text: 'Orders whose link is missing or differs from the brief appear here. Nothing becomes payable until it is repaired.',
  },
  guarantee: {
    label: 'Under guarantee',
    title: 'No approved orders',
    text: 'Approved orders appear here. Keep their links online.',
  },
  closed: {
    label: 'Closed',
    title: 'No closed orders',
    text: 'Completed, settled, declined, expired and canceled orders appear here.',
  },
};

export default async function SellerOrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('seller', 'seller');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { q } = readFilters(params, ['q']);
  // A search covers the orders of all tabs.
  const tab = placementTabNames.find((known) => known === oneParam(params, 'tab')) ?? 'new';
  const [{ rows, ...counted }, counts, unread, rules] = await Promise.all([
    !q && isDueTab(tab)
      ? listDueOrders(actor, tab, page.request)
      : listSellerOrders(actor, { ...(q ? { q } : { state: tab }), ...page.request }),
    Promise.all(placementTabNames.map((name) => countSellerOrders(actor.userId, { state: name }))),
    listUnreadRooms(personalAccount(actor.userId)),
    getPlacementRules(),
  ]);
  const isRepair = !q && tab === 'repair';
  const ids = rows.map(({ id }) => id);
  const [checks, changes] = await Promise.all([listNewestChecks(isRepair ? ids : []), listOpenChanges(ids)]);
  const orders = rows.map(
    (row): ListedOrder => ({ ...sellerOrderView(row), found: checks.get(row.id), change: changes.get(row.id) }),
  );
  // A view by staff cannot answer.
  const isAnswerable = !q && tab === 'new' && !actor.viewing;
  const offers = isAnswerable ? rows.map((row) => listedOffer(row, rules)) : [];
  const offerIds = offers.map(({ id }) => id);
  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ pathname, page }}
        searchParams={params}
        filter={{ q }}
        filters={[{ placeholder: 'Order number or website', label: 'Search all orders by number or website' }]}
        clearHref={`${pathname}?tab=${tab}`}
        caption={q ? 'Orders that match the search' : `Orders: ${tabs[tab].label}`}
        columns={isRepair ? repairColumns : offers.length > 0 ? offerColumns(offerIds) : columns}
        rows={orders}
        rowKey={(order) => String(order.id)}
        records="orders"
        noMatch="Try another order number or part of a website’s address."
        empty={{
          icon: <Icon name="inbox" />,
          title: tabs[tab].title,
          action: tab === 'new' ? <ButtonLink href="/seller/my-sites">View my sites</ButtonLink> : null,
          children: tabs[tab].text,
        }}
      >
        <UnreadRooms rooms={unread} pathname={pathname} />
        <div className="mb-4">
          <Tabs
            label="Orders by step"
            tabs={placementTabNames.map((name, index) => ({
              href: `${pathname}?tab=${name}`,
              label: tabs[name].label,
              current: !q && name === tab,
              count: formatCount(counts[index] ?? { total: 0, isCapped: false }),
            }))}
          />
        </div>
      </RecordList>
      {isAnswerable ? <OfferBar offers={offers} listKey={JSON.stringify([page.page, page.cursor])} /> : null}
    </>
  );
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Returns an offer with the day on which its delivery is due if it is accepted now. */
function listedOffer({ id, website, placement, brief }: SellerOrderRow, rules: PlacementRules): ListedOffer {
  const { turnaroundDays, version } = placement;
  const now = new Date();
  const accepted = startClock({ state: 'accepted', turnaroundDays }, rules, now, brief?.notBefore ?? null);
  const dueAt = accepted.deliveryDueAt ?? now;
  const words = formatWorkDays(turnaroundDays + rules.deliveryGraceDays, rules.dayKind);
  return { id, version, website, dueAt: dueAt.toISOString(), due: `${shortDay.format(dueAt)}, ${words}` };
}

type ListedOrder = OrderToRepair & {
  /** The state of the open paid change; undefined without one. */
  change: ChangeState | undefined;
};

/** Renders where an order and its open change stand. */
function State({ order }: { order: ListedOrder }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <PlacementBadge order={order} />
      {order.change ? <OpenChangeBadge state={order.change} /> : null}
    </span>
  );
}

const orderColumns = {
  id: {
    key: 'id',
    header: 'Order',
    cell: (order) => (
      <span className="block whitespace-nowrap">
        <OrderLink id={order.id} />
        <TimeAgo at={order.orderedAt} className="block text-muted text-xs" />
      </span>
    ),
  },
  website: {
    key: 'website',
    header: 'Website',
    phone: 'title',
    className: 'w-full min-w-40 max-w-0',
    cell: (order) => (
      <>
        <span className="block truncate text-ink">{formatUrl(order.website)}</span>
        <span className="block truncate text-muted text-xs">{order.postType}</span>
      </>
    ),
  },
} satisfies Record<string, Column<SellerOrderView>>;

const columns: Column<ListedOrder>[] = [
  orderColumns.id,
  orderColumns.website,
  {
    key: 'earns',
    header: 'You earn',
    phone: 'end',
    align: 'right',
    cell: (order) => <Money amountMinor={order.earnsCents} currency={order.currency} className="text-ink" />,
  },
  { key: 'state', header: 'State', className: 'whitespace-nowrap', cell: (order) => <State order={order} /> },
  {
    key: 'due',
    header: 'Due',
    className: 'whitespace-nowrap',
    phone: 'last',
    cell: (order) => <DueTime order={order} />,
  },
];

/** Returns the columns of offers. @param ids the offers of the page, which can be selected */
const offerColumns = (ids: readonly number[]): Column<ListedOrder>[] => [
  { key: 'select', header: <OffersCheckbox ids={ids} />, phone: 'select', cell: ({ id }) => <OfferCheckbox id={id} /> },
  ...columns,
];

const repairColumns: Column<ListedOrder>[] = [
  orderColumns.id,
  orderColumns.website,
  {
    key: 'found',
    header: 'What the check found',
    className: 'min-w-64',
    phone: 'line',
    cell: (order) => <Found order={order} />,
  },
  { key: 'money', header: 'Your money', className: 'min-w-68', cell: (order) => <MoneyAtStake order={order} /> },
  actionsColumn((order) => <ReportRepair order={order} />),
];
