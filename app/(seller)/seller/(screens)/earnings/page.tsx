import type { Metadata } from 'next';
import { OrderLink, PlacementBadge } from '@/app/(seller)/seller/orders/_components/order-cells';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, DataTable } from '@/components/table/data-table';
import { readIdPageParams, type SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { requirePage } from '@/lib/auth/page-guard';
import { getMoneyMonths } from '@/lib/earnings/statement';
import { getEarningsSummary } from '@/lib/earnings/summary';
import { listSellerOrders, type SellerOrderView, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { type ExpectedEarning, getExpectedEarning } from '@/lib/orders/placements/expected-earning';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { EarningsHeader, MoneyTiles } from './_components/earnings-header';
import { MonthsCard } from './_components/months-card';
import { NoEarnings, PendingEarnings } from './_components/pending-earnings';
import { WhyNotYet } from './_components/why-not-yet';

const pathname = '/seller/earnings';

export const metadata: Metadata = { title: screenTexts(pathname).title };

export default async function EarningsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('seller', 'seller');
  const params = await searchParams;
  if (!(await isFlagOn('payouts'))) return <PendingEarnings userId={actor.userId} params={params} />;
  const page = readIdPageParams(params);
  const [summary, months, { rows, ...counted }] = await Promise.all([
    getEarningsSummary(actor.userId),
    getMoneyMonths(actor.userId),
    listSellerOrders(actor, { state: 'earning', ...page.request }),
  ]);
  const links = rows.map((row) => ({ order: sellerOrderView(row), earning: getExpectedEarning(row.placement) }));
  return (
    <>
      <EarningsHeader current="overview" />
      <MoneyTiles summary={summary} />
      {months.length > 0 ? (
        <div className="mt-4">
          <MonthsCard months={months} />
        </div>
      ) : null}
      <section aria-labelledby="links" className="mt-6">
        <h2 id="links" className="mb-3 font-medium text-ink">
          Upcoming earnings
        </h2>
        <DataTable
          caption="Upcoming earnings"
          columns={columns}
          rows={links}
          rowKey={({ order }) => String(order.id)}
          pathname={pathname}
          searchParams={params}
          empty={months.length > 0 ? <NothingOpen /> : <NoEarnings />}
          paging={{ ...counted, page }}
        />
      </section>
    </>
  );
}

type EarningLink = { order: SellerOrderView; earning: ExpectedEarning };

const columns: Column<EarningLink>[] = [
  { key: 'order', header: 'Order', cell: ({ order }) => <OrderLink id={order.id} /> },
  {
    key: 'website',
    header: 'Website',
    phone: 'title',
    className: 'w-2/5 min-w-40 max-w-0',
    cell: ({ order }) => <span className="block truncate">{formatUrl(order.website)}</span>,
  },
  { key: 'state', header: 'State', cell: ({ order }) => <PlacementBadge order={order} /> },
  {
    key: 'payable',
    header: 'Payable',
    phone: 'labeled',
    align: 'right',
    cell: ({ earning }) => <Money amountMinor={earning.ripeCents} />,
  },
  {
    key: 'open',
    header: 'Still brings',
    phone: 'end',
    align: 'right',
    cell: ({ earning }) => <Money amountMinor={earning.openCents} className="font-medium text-ink" />,
  },
  {
    key: 'why',
    header: 'Why not yet',
    phone: 'line',
    className: 'w-3/5 min-w-64',
    cell: ({ earning }) => <WhyNotYet earning={earning} />,
  },
];

function NothingOpen() {
  return (
    <EmptyState icon={<Icon name="circle-dollar-sign" />} title="Nothing is open">
      All of what you earned is payable or paid out. New orders appear here.
    </EmptyState>
  );
}
