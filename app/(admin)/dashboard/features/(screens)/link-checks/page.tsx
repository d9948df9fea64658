import { CheckResult } from '@/components/links/check-result';
import { LiveLink, StaffOrderLink } from '@/components/orders/order-links';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, noValue } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { linkVerdicts } from '@/db/schema/links';
import { requirePage } from '@/lib/auth/page-guard';
import { verdictNames } from '@/lib/links/describe-reason';
import { listWatches, type WatchRow, watchesQuery } from '@/lib/orders/link-checks/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { listSavedFilters } from '@/lib/users/saved-filters';

const pathname = '/dashboard/features/link-checks';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const columns: Column<WatchRow>[] = [
  { header: 'Order', phone: 'title', cell: (row) => <OrderLink row={row} />, className: 'min-w-44' },
  {
    header: 'Page and target',
    phone: 'line',
    cell: (row) => <Pages row={row} />,
    className: 'w-full max-w-0 min-w-52',
  },
  { header: 'Result', phone: 'line', cell: (row) => <Result row={row} />, className: 'min-w-56' },
  { header: 'Checked', phone: 'labeled', cell: (row) => <Time at={row.checkedAt} />, className: 'whitespace-nowrap' },
  {
    header: 'Repair due',
    phone: 'labeled',
    cell: (row) => <Time at={row.repairDueAt} />,
    className: 'whitespace-nowrap',
  },
];

export default async function LinkChecksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { verdict } = parseFilters(watchesQuery, readFilters(params, ['verdict'])).filter;
  const [found, saved] = await Promise.all([
    listWatches({ verdict, ...page.request }),
    listSavedFilters(actor.userId, pathname),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, ['verdict']) };
  return (
    <RecordList
      {...texts}
      {...found}
      {...{ pathname, columns, page }}
      searchParams={params}
      filter={{ verdict }}
      filters={[
        {
          param: 'verdict',
          label: 'Result',
          allLabel: 'All results',
          options: linkVerdicts.map((value) => ({ value, label: verdictNames[value] })),
        },
      ]}
      listActions={
        <>
          <SavedViewsButton {...views} />
          <ExportLink pathname={pathname} filter={{ verdict }} />
        </>
      }
      note={<SavedViewLinks {...views} />}
      caption="Link checks"
      rowKey={({ id }) => String(id)}
      wide
      records="links"
      noMatch="No link has this result."
      empty={{
        icon: <Icon name="link-2-off" />,
        title: 'No links are checked',
        children: 'Links appear here after their first check, while the flag “Link checks” is on.',
      }}
    />
  );
}

const OrderLink = ({ row: { id, website, packageName } }: { row: WatchRow }) => (
  <StaffOrderLink orderId={id} detail={website ? formatUrl(website) : packageName} />
);

function Pages({ row: { pageUrl, targetUrl } }: { row: WatchRow }) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)]">
      <LiveLink url={pageUrl} />
      <span className="truncate text-muted text-xs">to {formatUrl(targetUrl)}</span>
    </span>
  );
}

function Result({ row: { verdict, reasons, unknownSince } }: { row: WatchRow }) {
  return (
    <CheckResult verdict={verdict} reasons={reasons}>
      {unknownSince ? (
        <span className="text-muted text-xs">
          First unknown <TimeAgo at={unknownSince} />
        </span>
      ) : null}
    </CheckResult>
  );
}

const Time = ({ at }: { at: Date | null }) => (at ? <TimeAgo at={at} /> : noValue);
