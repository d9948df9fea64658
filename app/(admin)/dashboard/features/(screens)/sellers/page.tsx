import { Store } from 'lucide-react';
import Link from 'next/link';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readPageParams, readSort, type SearchParams, withParams } from '@/components/table/url';
import { formatDuration } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import {
  defaultSellerPeriod,
  formatAcceptance,
  listSellers,
  type SellerRights,
  type SellerRow,
  sellerFilter,
  sellerPeriodLabels,
  sellerRights,
  sellerSortKeys,
} from '@/lib/dashboard/sellers';
import { parseFilters } from '@/lib/platform/http/parse';

const pathname = '/dashboard/features/sellers';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const { [defaultSellerPeriod]: _default, ...otherPeriods } = sellerPeriodLabels;

export default async function SellersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageOrders');
  const rights = sellerRights(actor);
  const params = await searchParams;
  const page = readPageParams(params);
  const sort = readSort(params, sellerSortKeys(rights), { key: 'orders', order: 'desc' });
  const { filter } = parseFilters(sellerFilter, readFilters(params, ['q', 'period']));
  const { limit, offset } = page;
  const { rows, total, isCappedOrders } = await listSellers({ ...filter, ...rights, sort, limit, offset });
  // The user's page requires another permission than the list.
  const hrefOf = (id: string) =>
    hasPermission(actor, 'ManageUsers')
      ? `/dashboard/features/users/${id}`
      : withParams('/dashboard/features/orders', {}, { fulfilledBy: id });
  return (
    <RecordList
      {...texts}
      {...{ pathname, sort, page, rows, total }}
      filter={{ q: filter.q, period: oneParam(params, 'period') }}
      searchParams={params}
      filters={[
        { placeholder: 'Search name or email…', label: 'Search sellers' },
        {
          param: 'period',
          label: 'Orders placed in',
          allLabel: sellerPeriodLabels[defaultSellerPeriod],
          options: otherPeriods,
        },
      ]}
      listActions={total > 0 ? <ExportLink pathname={pathname} filter={filter} /> : null}
      note={
        isCappedOrders ? (
          <p className="mb-3 text-muted text-sm">Figures are of the newest 50,000 orders of the period.</p>
        ) : null
      }
      caption="Sellers"
      columns={sellerColumns(rights, hrefOf)}
      rowKey={({ id }) => id}
      card={(seller) => <SellerCard seller={seller} href={hrefOf(seller.id)} />}
      wide
      records="sellers"
      empty={{ icon: <Store />, title: 'No sellers yet', children: 'Sellers appear here once they register.' }}
    />
  );
}

/** Returns the columns that a reader sees. @param hrefOf returns the URL of a seller */
function sellerColumns({ seesSites, seesMoney }: SellerRights, hrefOf: (id: string) => string): Column<SellerRow>[] {
  const figure = (
    header: string,
    sortKey: string,
    cell: Column<SellerRow>['cell'],
    firstOrder: 'asc' | 'desc' = 'desc',
  ): Column<SellerRow> => ({ header, sortKey, firstOrder, align: 'right', cell, className: 'whitespace-nowrap' });
  const countOf = (key: 'offers' | 'late' | 'disputed' | 'lost') => (seller: SellerRow) =>
    seller[key].toLocaleString('en-US');
  return [
    {
      header: 'Seller',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-48',
      cell: (seller) => <SellerName seller={seller} href={hrefOf(seller.id)} />,
    },
    ...(seesSites ? [figure('Sites', 'sites', ({ sites }) => (sites ?? 0).toLocaleString('en-US'))] : []),
    figure('Orders', 'orders', countOf('offers')),
    figure('Acceptance', 'acceptance', ({ acceptance }) => formatAcceptance(acceptance), 'asc'),
    figure('Answer time', 'answer', ({ medianSeconds }) => formatAnswerTime(medianSeconds)),
    figure('Late', 'late', countOf('late')),
    figure('Disputed', 'disputed', countOf('disputed')),
    figure('Lost', 'lost', countOf('lost')),
    ...(seesMoney
      ? [
          { ...moneyColumn<SellerRow>('Earned', ({ earnedCents }) => [earnedCents ?? 0]), sortKey: 'earned' },
          { ...moneyColumn<SellerRow>('Paid out', ({ paidCents }) => [paidCents ?? 0]), sortKey: 'paid' },
        ].map((column) => ({ ...column, firstOrder: 'desc' as const, className: 'whitespace-nowrap' }))
      : []),
  ];
}

const formatAnswerTime = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds));

function SellerName({ seller: { name, email }, href }: { seller: SellerRow; href: string }) {
  return (
    <TwoLines detail={name ? email : null}>
      <Link prefetch={false} href={href} className="block truncate rounded-sm font-medium text-ink hover:underline">
        {name || email}
      </Link>
    </TwoLines>
  );
}

/** Renders a seller in the mobile layout. */
function SellerCard({ seller, href }: { seller: SellerRow; href: string }) {
  const { offers, acceptance, medianSeconds, late, disputed, lost, sites, earnedCents } = seller;
  const counts = [
    ...(sites === null ? [] : [sites === 1 ? '1 site' : `${sites.toLocaleString('en-US')} sites`]),
    offers === 1 ? '1 order' : `${offers.toLocaleString('en-US')} orders`,
    ...(acceptance === null ? [] : [`${formatAcceptance(acceptance)} accepted`]),
    ...(medianSeconds === null ? [] : [`answers in ${formatDuration(medianSeconds)}`]),
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm">
      <div className="flex items-start justify-between gap-3">
        <SellerName seller={seller} href={href} />
        <UserStatusBadge status={seller.status} />
      </div>
      <p className="text-muted">{counts.join(' · ')}</p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>{`${late} late · ${disputed} disputed · ${lost} lost`}</span>
        {earnedCents === null ? null : <Money amountMinor={earnedCents} className="font-medium text-ink" />}
      </p>
    </div>
  );
}
