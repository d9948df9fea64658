import Link from 'next/link';
import { screenTexts } from '@/components/shell/screen-texts';
import {
  formatAliveOf,
  formatMedian,
  formatNumber,
  formatPerOrder,
  formatShare,
  reliabilityMeaning,
} from '@/components/sites/record-words';
import { Reliability } from '@/components/sites/site-record';
import { type Column, moneyColumn, noValue, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readPageParams, readSort, type SearchParams, withParams } from '@/components/table/url';
import { formatDuration } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { onReplica } from '@/db/replicas';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import {
  type ListedSeller,
  listSellers,
  type SellerRights,
  sellerFilter,
  sellerRights,
  sellerSortKeys,
} from '@/lib/dashboard/sellers';
import { parseFilters } from '@/lib/platform/http/parse';
import type { FulfilmentRecord } from '@/lib/sites/responses';

const pathname = '/dashboard/features/sellers';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function SellersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const rights = sellerRights(actor);
  const params = await searchParams;
  const page = readPageParams(params);
  const sort = readSort(params, sellerSortKeys(rights), { key: 'reliability', order: 'desc' });
  const { filter } = parseFilters(sellerFilter, readFilters(params, ['q']));
  const { limit, offset } = page;
  const { rows, total, isCappedOrders } = await onReplica(actor, (on) =>
    listSellers({ ...filter, ...rights, sort, limit, offset }, on),
  );
  // The user's page requires another permission than the list.
  const hrefOf = (id: string) =>
    hasPermission(actor, 'ManageUsers')
      ? `/dashboard/features/users/${id}`
      : withParams('/dashboard/features/orders', {}, { fulfilledBy: id });
  return (
    <RecordList
      {...texts}
      {...{ pathname, sort, page, rows, total }}
      filter={filter}
      searchParams={params}
      filters={[{ placeholder: 'Search name or email…', label: 'Search sellers' }]}
      listActions={total > 0 ? <ExportLink pathname={pathname} filter={filter} /> : null}
      note={
        <p className="mb-3 max-w-4xl text-muted text-sm">
          {`Records of the last 12 months. Accepted: offers accepted in time. In time: accepted orders delivered in time. Delivery: median time from acceptance. Answer, late, disputed, lost and amounts of the last 90 days. ${reliabilityMeaning}`}
          {isCappedOrders ? ' Answer times, counts and earnings are of the newest 50,000 orders.' : null}
        </p>
      }
      caption="Sellers"
      columns={sellerColumns(rights, hrefOf)}
      rowKey={({ id }) => id}
      wide="scrolls"
      records="sellers"
      empty={{
        icon: <Icon name="store" />,
        title: 'No sellers yet',
        children: 'Sellers appear here once they register.',
      }}
    />
  );
}

/** Returns the columns that a reader sees. @param hrefOf returns the URL of a seller */
function sellerColumns({ seesSites, seesMoney }: SellerRights, hrefOf: (id: string) => string): Column<ListedSeller>[] {
  const figure = (
    header: string,
    sortKey: string,
    cell: Column<ListedSeller>['cell'],
    firstOrder: 'asc' | 'desc' = 'desc',
  ): Column<ListedSeller> => ({
    header,
    sortKey,
    firstOrder,
    align: 'right',
    phone: 'labeled',
    cell,
    className: 'whitespace-nowrap',
  });
  const ofRecord =
    (text: (record: FulfilmentRecord) => string): Column<ListedSeller>['cell'] =>
    ({ own: { record } }) =>
      record ? text(record) : noValue;
  const alive = (days: keyof FulfilmentRecord['alive']) =>
    figure(
      `Alive ${days} d`,
      `alive${days}`,
      ofRecord((record) => formatAliveOf(record.alive[days])),
      'asc',
    );
  return [
    {
      header: 'Seller',
      phone: 'title',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-40',
      cell: (seller) => <SellerName seller={seller} href={hrefOf(seller.id)} />,
    },
    figure('Reliability', 'reliability', ({ own }) => <Reliability value={own.reliability} />),
    figure('Orders', 'orders', ({ own }) => formatNumber(own.orders)),
    figure(
      'Accepted',
      'acceptedInTime',
      ofRecord(({ acceptedInTime }) => formatShare(acceptedInTime)),
      'asc',
    ),
    figure('Answer', 'answer', ({ medianSeconds }) => formatAnswerTime(medianSeconds)),
    figure(
      'In time',
      'deliveredInTime',
      ofRecord(({ deliveredInTime }) => formatShare(deliveredInTime)),
      'asc',
    ),
    figure(
      'Delivery',
      'medianDays',
      ofRecord(({ medianDays }) => (medianDays === null ? '–' : formatMedian(medianDays))),
    ),
    figure('Late', 'late', ({ late }) => formatNumber(late)),
    figure(
      'Revisions',
      'revisionsPerOrder',
      ofRecord(({ revisionsPerOrder }) => formatPerOrder(revisionsPerOrder)),
    ),
    figure('Disputed', 'disputed', ({ disputed }) => formatNumber(disputed)),
    figure(
      'Disputes lost',
      'disputesLost',
      ofRecord(({ disputesLost }) => formatNumber(disputesLost)),
    ),
    figure('Links lost', 'lost', ({ lost }) => formatNumber(lost)),
    ...[alive('30'), alive('90'), alive('365')],
    ...(seesSites ? [figure('Sites', 'sites', ({ sites }) => formatNumber(sites ?? 0))] : []),
    ...(seesMoney
      ? [
          {
            ...moneyColumn<ListedSeller>('Earned', ({ earnedCents }) => [earnedCents ?? 0], undefined, 'labeled'),
            sortKey: 'earned',
          },
          {
            ...moneyColumn<ListedSeller>('Paid out', ({ paidCents }) => [paidCents ?? 0], undefined, 'labeled'),
            sortKey: 'paid',
          },
        ].map((column) => ({ ...column, firstOrder: 'desc' as const }))
      : []),
  ];
}

const formatAnswerTime = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds));

function SellerName({ seller: { name, email, status }, href }: { seller: ListedSeller; href: string }) {
  return (
    <>
      <TwoLines detail={name ? email : null}>
        <Link prefetch={false} href={href} className="block truncate rounded-sm font-medium text-ink hover:underline">
          {name || email}
        </Link>
      </TwoLines>
      <span className="md:hidden">
        <UserStatusBadge status={status} />
      </span>
    </>
  );
}
