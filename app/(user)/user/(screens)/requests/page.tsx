import type { Metadata } from 'next';
import Link from 'next/link';
import { ClientRequests } from '@/app/(user)/user/requests/_components/client-screens';
import { RequestStateBadge } from '@/app/(user)/user/requests/_components/request-facts';
import { screenTexts } from '@/components/shell/screen-texts';
import { requestsPath } from '@/components/shell/user-nav';
import { type Column, TwoLines } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import type { RequestView } from '@/lib/orders/requests/contract';
import { listRequests } from '@/lib/orders/requests/queries';

const texts = screenTexts(requestsPath);

export const metadata: Metadata = { title: texts.title };

/** The tabs, with the empty state of each. */
const tabs = [
  { state: 'open', label: 'Open', empty: 'No requests wait for an approval' },
  { state: 'approved', label: 'Approved', empty: 'No approved requests' },
  { state: 'declined', label: 'Declined', empty: 'No declined requests' },
  { state: 'expired', label: 'Expired', empty: 'No expired requests' },
] as const;

/** Renders the requests of the account that the member sees, and to a client those that were sent to the client. */
export default async function RequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:requests');
  const params = await searchParams;
  const page = readIdPageParams(params);
  if (actor.accountRole === 'client') return <ClientRequests actor={actor} cursor={page.cursor} />;
  const tab = tabs.find(({ state }) => state === oneParam(params, 'state')) ?? tabs[0];
  const { rows, ...counted } = await listRequests(actor, { ...page.request, state: tab.state });
  return (
    <RecordList
      {...texts}
      {...counted}
      page={page}
      pathname={requestsPath}
      searchParams={params}
      caption="Requests"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      wide
      records="requests"
      empty={{
        icon: <Icon name="shield-check" />,
        title: tab.empty,
        children: 'An order above a limit of the account waits here until it is approved or declined.',
      }}
    >
      <div className="mb-4">
        <Tabs
          label="Requests by state"
          tabs={tabs.map(({ state, label }) => ({
            href: withParams(requestsPath, {}, { state: state === 'open' ? null : state }),
            label,
            current: state === tab.state,
          }))}
        />
      </div>
    </RecordList>
  );
}

const columns: Column<RequestView>[] = [
  { key: 'order', header: 'Order', phone: 'title', cell: (request) => <RequestLink request={request} /> },
  {
    key: 'project',
    header: 'Project',
    cell: ({ projectDomain }) => projectDomain,
    className: 'max-w-0 w-[20%] truncate',
  },
  { key: 'by', header: 'Requested by', cell: ({ requestedBy }) => requestedBy.name },
  {
    key: 'reasons',
    header: 'Reason',
    phone: 'line',
    cell: (request) => <Reasons request={request} />,
    className: 'w-[30%] min-w-44',
  },
  { key: 'total', header: 'Total', phone: 'end', align: 'right', cell: (request) => <Total request={request} /> },
  {
    key: 'state',
    header: 'State',
    cell: (request) => (
      <>
        <RequestStateBadge request={request} />
        <TimeAgo at={request.createdAt} className="mt-1 block text-muted text-xs" />
      </>
    ),
  },
];

const RequestLink = ({ request: { id, lines } }: { request: RequestView }) => (
  <TwoLines detail={lines[0] && (lines.length === 1 ? lines[0].name : `${lines[0].name} and ${lines.length - 1} more`)}>
    <Link prefetch={false} href={`${requestsPath}/${id}`} className="rounded-sm text-accent-ink hover:underline">
      {countOf(lines.length, 'item')}
    </Link>
  </TwoLines>
);

const Reasons = ({ request: { reasons } }: { request: RequestView }) => (
  <span className="block text-muted text-xs">{reasons.map(({ text }) => text).join(' ')}</span>
);

const Total = ({ request: { totalCents } }: { request: RequestView }) =>
  totalCents === null ? null : <Money amountMinor={totalCents} className="font-medium text-ink" />;
