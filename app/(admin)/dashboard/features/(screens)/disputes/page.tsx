import { StaffOrderLink } from '@/components/orders/order-links';
import { DisputeStateBadge } from '@/components/orders/state-badges';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { requirePage } from '@/lib/auth/page-guard';
import {
  type AdminDisputeView,
  adminDisputeView,
  disputeReasonNames,
  disputesQuery,
  formatDisputeReason,
} from '@/lib/orders/disputes/contract';
import { listDisputes } from '@/lib/orders/disputes/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { listSavedFilters } from '@/lib/users/saved-filters';

const pathname = '/dashboard/features/disputes';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const filterNames = ['q', 'state', 'reason', 'openedBy', 'sort'] as const;

const disputeColumns: Column<AdminDisputeView>[] = [
  {
    header: 'Order',
    phone: 'title',
    cell: (one) => <StaffOrderLink orderId={one.orderId} detail={formatUrl(one.website)} />,
    className: 'w-full max-w-0 min-w-44',
  },
  {
    header: 'Buyer and seller',
    cell: ({ userName, userEmail, sellerName, sellerEmail }) => (
      <TwoLines detail={sellerName || sellerEmail}>{userName || userEmail}</TwoLines>
    ),
    className: 'max-w-0 min-w-40',
  },
  {
    header: 'Reason',
    cell: ({ reason, openedBy }) => (
      <span className="grid">
        <span>{formatDisputeReason(reason)}</span>
        <span className="text-muted text-xs">{`Opened by the ${openedBy}`}</span>
      </span>
    ),
    className: 'min-w-44',
  },
  moneyColumn('Amount', ({ amountCents }) => [amountCents]),
  { header: 'Proposals', phone: 'labeled', cell: (one) => <Proposals one={one} />, className: 'min-w-40' },
  { header: 'State', cell: (one) => <State one={one} />, className: 'whitespace-nowrap' },
  {
    header: 'Opened',
    phone: 'labeled',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    className: 'whitespace-nowrap',
  },
];

export default async function DisputesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { sort, q, state, reason, openedBy } = parseFilters(disputesQuery, readFilters(params, filterNames)).filter;
  const filter = { q, state, reason, openedBy };
  const [{ rows, ...counted }, saved] = await Promise.all([
    listDisputes({ ...filter, sort, ...page.request }),
    listSavedFilters(actor.userId, pathname),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, filterNames) };
  return (
    <RecordList
      {...texts}
      {...counted}
      {...{ pathname, page, filter }}
      searchParams={params}
      filters={[
        { placeholder: 'Order number…', label: 'Search disputes by order number' },
        {
          param: 'sort',
          label: 'Order of the list',
          allLabel: 'Oldest first',
          options: { amount: 'Largest amount first' },
        },
        { param: 'state', label: 'State', allLabel: 'All states', options: { open: 'Open', ended: 'Ended' } },
        {
          param: 'reason',
          label: 'Reason',
          allLabel: 'All reasons',
          options: disputeReasonNames.map((value) => ({ value, label: formatDisputeReason(value) })),
        },
        {
          param: 'openedBy',
          label: 'Opened by',
          allLabel: 'Both sides',
          options: { buyer: 'Opened by buyers', seller: 'Opened by sellers' },
        },
      ]}
      listActions={
        <>
          <SavedViewsButton {...views} />
          <ExportLink pathname={pathname} filter={filter} />
        </>
      }
      note={<SavedViewLinks {...views} />}
      caption="Disputes"
      columns={disputeColumns}
      rows={rows.map(adminDisputeView)}
      rowKey={({ id }) => id}
      wide
      records="disputes"
      noMatch="Try another order number, state or reason."
      empty={{
        icon: <Icon name="scale" />,
        title: 'No disputes',
        children: 'Disputes appear here when a buyer or a seller opens one.',
      }}
    />
  );
}

/** Shows the newest proposal of each side. */
function Proposals({ one: { proposals, silenceDueAt } }: { one: AdminDisputeView }) {
  const newest = (['buyer', 'seller'] as const).flatMap((side) => {
    const created = proposals.findLast(({ by }) => by === side);
    return created ? [`${side === 'buyer' ? 'Buyer' : 'Seller'} ${created.buyerPercent}%`] : [];
  });
  if (newest.length === 0) return <span className="text-subtle">None</span>;
  return (
    <span className="grid">
      <span>{newest.join(', ')}</span>
      {silenceDueAt ? (
        <span className="text-muted text-xs">
          Accepted <TimeAgo at={silenceDueAt} /> without an answer
        </span>
      ) : null}
    </span>
  );
}

function State({ one: { state, buyerPercent, decidedAt } }: { one: AdminDisputeView }) {
  return (
    <span className="grid justify-items-start gap-1">
      <DisputeStateBadge state={state} />
      {state === 'settled' && decidedAt ? (
        <span className="text-muted text-xs">
          {buyerPercent}% to the buyer, <TimeAgo at={decidedAt} />
        </span>
      ) : null}
    </span>
  );
}
