import Link from 'next/link';
import { notFound } from 'next/navigation';
import { formatDay, IgnoredDates } from '@/app/(admin)/dashboard/features/(screens)/money/_components/days';
import {
  listedFigures,
  moneyPath,
  nameAccounts,
  entriesPath as pathname,
  textsOf,
} from '@/app/(admin)/dashboard/features/(screens)/money/_components/figure-texts';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, noValue, TwoLines } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import { onReplica } from '@/db/replicas';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getMarketplaceFigures, periodQuery, resolvePeriod } from '@/lib/dashboard/marketplace-figures';
import {
  listEntries,
  listFigureOrders,
  type MoneyEntry,
  type OrderFigure,
  orderFigures,
  sumEntries,
} from '@/lib/dashboard/money-entries';
import { findMoneyAccount } from '@/lib/dashboard/money-figures';
import { walletCurrency } from '@/lib/money';
import { parseFilters } from '@/lib/platform/http/parse';

export const metadata = { title: screenTexts(pathname).title };

type Shown = { actor: Actor; figure: string; params: SearchParams };

export default async function MoneyEntriesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const params = await searchParams;
  const figure = oneParam(params, 'figure') || 'wallet';
  if (!listedFigures.includes(figure)) notFound();
  const orderFigure = orderFigures.find((name) => name === figure);
  return (
    <>
      <Link
        prefetch={false}
        href={withParams(
          moneyPath,
          {},
          findMoneyAccount(figure)
            ? { day: oneParam(params, 'to') }
            : { view: 'marketplace', ...readFilters(params, ['from', 'to']) },
        )}
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-accent-ink text-sm hover:underline"
      >
        <Icon name="arrow-left" />
        Money overview
      </Link>
      {orderFigure ? (
        <OrderEntries figure={orderFigure} actor={actor} params={params} />
      ) : (
        <TransferEntries figure={figure} actor={actor} params={params} />
      )}
    </>
  );
}

/** Returns the header of a figure's list: its name, what it is, and the screen on which its records are worked on. */
function headerOf({ actor, figure, currency }: { actor: Actor; figure: string; currency?: string }) {
  const { label, definition, screen } = textsOf(figure);
  return {
    title: currency && currency !== walletCurrency ? `${label} in ${currency}` : label,
    description: definition,
    actions:
      screen && hasPermission(actor, screen.access) ? <ButtonLink href={screen.href}>{screen.label}</ButtonLink> : null,
  };
}

/** Reads the period, and returns it with the fields of a list's toolbar. */
function readPeriod(params: SearchParams) {
  const { filter, ignored } = parseFilters(periodQuery, readFilters(params, ['from', 'to']));
  const period = resolvePeriod(filter);
  const filters = [
    { param: 'from', label: 'From', fallback: period.from },
    { param: 'to', label: 'To', fallback: period.to },
  ];
  return { period, frame: { filters, hasClearLink: false }, ignored: <IgnoredDates names={ignored} /> };
}

async function TransferEntries({ actor, figure, params }: Shown) {
  const { period, frame, ignored } = readPeriod(params);
  const asked = oneParam(params, 'currency').toUpperCase();
  const currency = /^[A-Z]{3}$/.test(asked) ? asked : walletCurrency;
  const page = readIdPageParams(params);
  const of = { figure, currency, period };
  const [sums, found] = await onReplica(actor, (on) =>
    Promise.all([sumEntries(of, on), listEntries(of, page.request, on)]),
  );
  const isAccount = findMoneyAccount(figure) !== undefined;
  const tile = (label: string, cents: number, hint: string) => (
    <StatTile label={label} value={<Money amountMinor={cents} currency={currency} />} hint={hint} />
  );
  return (
    <RecordList
      {...headerOf({ actor, figure, currency })}
      {...found}
      {...{ pathname, page }}
      total={sums.count}
      {...frame}
      searchParams={params}
      note={ignored}
      caption="Entries"
      columns={entryColumns(currency, hasPermission(actor, 'ManageOrders'))}
      rowKey={({ id }) => id}
      records="entries"
      empty={{
        icon: <Icon name="receipt-text" />,
        title: 'No entries in this period',
        children: 'Choose another first or last day.',
      }}
    >
      <div className={`mb-4 ${threeTileGrid}`}>
        {isAccount ? tile('At the beginning', sums.before, `before ${formatDay(period.from)}`) : null}
        {tile('In the period', sums.within, `${sums.count.toLocaleString('en-US')} entries`)}
        {isAccount ? tile('At the end', sums.before + sums.within, `end of ${formatDay(period.to)}`) : null}
      </div>
    </RecordList>
  );
}

/** Describes an entry without a note. */
const nameOf = ({ note, kind }: MoneyEntry) => note || kind.replaceAll('_', ' ');
/** Names the accounts of an entry. */
const routeOf = ({ fromKind, toKind }: MoneyEntry) => `${nameAccounts(fromKind)} → ${nameAccounts(toKind)}`;

function entryColumns(currency: string, mayOpenOrders: boolean): Column<MoneyEntry>[] {
  return [
    { header: 'Time', className: 'whitespace-nowrap', cell: ({ at }) => <TimeAgo at={at} className="text-muted" /> },
    {
      header: 'Entry',
      phone: 'title',
      className: 'w-full max-w-0 min-w-48',
      cell: (entry) => <TwoLines detail={routeOf(entry)}>{nameOf(entry)}</TwoLines>,
    },
    {
      header: 'User',
      className: 'max-w-48',
      cell: ({ user }) => (user ? <TwoLines detail={null}>{user}</TwoLines> : noValue),
    },
    {
      header: 'Order',
      phone: 'labeled',
      className: 'whitespace-nowrap',
      cell: ({ orderId, isOrderDeleted }) =>
        orderId === null ? noValue : <OrderNumber id={orderId} isLink={mayOpenOrders && !isOrderDeleted} />,
    },
    moneyColumn<MoneyEntry>('Amount', ({ cents }) => [cents, currency]),
  ];
}

function OrderNumber({ id, isLink }: { id: number; isLink: boolean }) {
  if (!isLink) return `#${id}`;
  return (
    <Link
      prefetch={false}
      href={`/dashboard/features/orders/${id}`}
      className="rounded-sm text-accent-ink hover:underline"
    >
      #{id}
    </Link>
  );
}

type FigureOrder = Awaited<ReturnType<typeof listFigureOrders>>['rows'][number];

async function OrderEntries({ actor, figure, params }: Omit<Shown, 'figure'> & { figure: OrderFigure }) {
  const { period, frame, ignored } = readPeriod(params);
  const page = readIdPageParams(params);
  const [{ period: sums }, found] = await onReplica(actor, (on) =>
    Promise.all([getMarketplaceFigures(period, on), listFigureOrders(figure, period, page.request, on)]),
  );
  const mayOpenOrders = hasPermission(actor, 'ManageOrders');
  const columns: Column<FigureOrder>[] = [
    { header: 'Order', phone: 'end', cell: ({ id }) => <OrderNumber id={id} isLink={mayOpenOrders} /> },
    {
      header: 'Website',
      phone: 'title',
      className: 'w-full max-w-0 min-w-40',
      cell: ({ website }) => <TwoLines detail={null}>{formatUrl(website)}</TwoLines>,
    },
    { header: 'Seller', cell: (row) => sellerOf(row) },
    { header: figure === 'late' ? 'Due' : 'Lost', phone: 'labeled', cell: ({ at }) => <Time at={at} /> },
    ...(figure === 'late' ? [{ header: 'Delivered', cell: ({ doneAt }: FigureOrder) => <Time at={doneAt} /> }] : []),
  ];
  return (
    <RecordList
      {...headerOf({ actor, figure })}
      {...found}
      {...{ pathname, page, columns }}
      total={sums[figure]}
      {...frame}
      searchParams={params}
      note={
        <>
          {ignored}
          <p className="mb-3 text-muted text-sm">{describePeriod(period, sums[figure])}</p>
        </>
      }
      caption={textsOf(figure).label}
      rowKey={({ id }) => String(id)}
      records="orders"
      empty={{
        icon: <Icon name="receipt-text" />,
        title: 'None in this period',
        children: 'Choose another first or last day.',
      }}
    />
  );
}

const describePeriod = ({ from, to }: { from: string; to: string }, total: number) =>
  `${total.toLocaleString('en-US')} from ${formatDay(from)} to ${formatDay(to)} (UTC)`;

const sellerOf = ({ seller, sellerEmail }: FigureOrder) => seller || sellerEmail || '–';

const Time = ({ at }: { at: Date | null }) =>
  at ? <TimeAgo at={at} className="whitespace-nowrap text-muted" /> : noValue;
