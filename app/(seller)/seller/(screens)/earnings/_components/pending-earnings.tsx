import Link from 'next/link';
import { EarnedThisMonth } from '@/app/(seller)/seller/_components/tiles';
import { type Column, DataTable, noValue } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filters';
import { Toolbar } from '@/components/table/record-list';
import { firstPage, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatMonth } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, threeTileGrid } from '@/components/ui/stat-tile';
import { type EarningMonth, getEarnings, listEarningEntries, statementFilter } from '@/lib/earnings/statement';
import { parseFilters } from '@/lib/platform/http/parse';
import { entryColumns } from './entry-table';

/** Shows what the seller earned in all, what is payable of it, and what was earned this month. */
function EarningTiles({ balanceCents, months }: { balanceCents: number; months: readonly EarningMonth[] }) {
  const sumOf = (name: 'earnedCents' | 'returnedCents' | 'ripenedCents') =>
    months.reduce((sum, month) => sum + month[name], 0);
  return (
    <div className={threeTileGrid}>
      <StatTile
        label="Earned in total"
        value={<Money amountMinor={sumOf('earnedCents') - sumOf('returnedCents')} />}
        hint="less what returned to buyers"
        icon="circle-dollar-sign"
      />
      <StatTile
        label="Payable"
        value={<Money amountMinor={sumOf('ripenedCents')} />}
        hint={
          <>
            <Money amountMinor={balanceCents} /> follows while the links stand
          </>
        }
        icon="badge-check"
      />
      <EarnedThisMonth months={months} />
    </div>
  );
}

const pathname = '/seller/earnings';
/** The months of the table; the filter lists all. */
const shownMonths = 12;

/** Renders the statement of earnings while payouts are turned off: what was earned, returned and became payable. */
export async function PendingEarnings({ userId, params }: { userId: string; params: SearchParams }) {
  const page = readIdPageParams(params);
  const { month } = parseFilters(statementFilter, readFilters(params, ['month'])).filter;
  const [{ balanceCents, months }, { rows, ...counted }] = await Promise.all([
    getEarnings(userId),
    listEarningEntries(userId, { month, ...page.request }),
  ]);
  const monthHref = (chosen: string | null) => withParams(pathname, params, { month: chosen, ...firstPage });
  return (
    <>
      <PageHeader
        title="Earnings"
        description="What your approved placements earned, with the order of every entry."
        actions={
          months.length > 0 ? (
            <a href={withParams(`${pathname}/export`, {}, { month })} download="" className={buttonClass({})}>
              <Icon name="download" />
              Export CSV
            </a>
          ) : null
        }
      />
      {months.length > 0 ? <EarningTiles balanceCents={balanceCents} months={months} /> : null}
      {months.length > 0 ? (
        <section aria-labelledby="months" className="mt-6">
          <h2 id="months" className="mb-3 font-medium text-ink">
            By month
          </h2>
          <DataTable
            caption="Earnings by month"
            columns={monthColumns(monthHref)}
            rows={months.slice(0, shownMonths)}
            rowKey={(row) => row.month}
            isSelected={(row) => row.month === month}
            pathname={pathname}
            searchParams={params}
            empty={null}
          />
        </section>
      ) : null}
      <section aria-labelledby="entries" className={months.length > 0 ? 'mt-6' : undefined}>
        {months.length > 0 ? (
          <>
            <h2 id="entries" className="mb-3 font-medium text-ink">
              Statement
            </h2>
            <Toolbar clearHref={month ? monthHref(null) : null}>
              <FilterSelect
                param="month"
                label="Month"
                allLabel="All months"
                options={months.map((row) => ({ value: row.month, label: formatMonth(row.month) }))}
                className="w-full sm:w-48"
              />
            </Toolbar>
          </>
        ) : null}
        <DataTable
          caption="Statement"
          columns={entryColumns('pending')}
          rows={rows}
          rowKey={(entry) => String(entry.id)}
          pathname={pathname}
          searchParams={params}
          empty={<NoEntries month={month} clearHref={monthHref(null)} />}
          paging={{ ...counted, page }}
        />
      </section>
    </>
  );
}

function MonthLink({ month, href }: { month: string; href: string }) {
  return (
    <Link prefetch={false} href={href} className="rounded-sm py-0.5 text-accent-ink hover:underline">
      {formatMonth(month)}
    </Link>
  );
}

/** @param hrefOf returns the URL of a month's statement */
const monthColumns = (hrefOf: (month: string) => string): Column<EarningMonth>[] => [
  {
    key: 'month',
    header: 'Month',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: ({ month }) => <MonthLink month={month} href={hrefOf(month)} />,
  },
  {
    key: 'earned',
    header: 'Earned',
    phone: 'end',
    align: 'right',
    cell: (row) => <Money amountMinor={row.earnedCents} />,
  },
  {
    key: 'returned',
    header: 'Returned',
    phone: 'labeled',
    align: 'right',
    cell: (row) => (row.returnedCents > 0 ? <Money amountMinor={row.returnedCents} sign="debit" /> : noValue),
  },
  {
    key: 'ripened',
    header: 'Became payable',
    phone: 'labeled',
    align: 'right',
    cell: (row) => (row.ripenedCents > 0 ? <Money amountMinor={row.ripenedCents} /> : noValue),
  },
  {
    key: 'balance',
    header: 'Not payable at the end',
    phone: 'labeled',
    align: 'right',
    cell: (row) => <Money amountMinor={row.balanceCents} className="text-ink" />,
  },
];

function NoEntries({ month, clearHref }: { month: string | undefined; clearHref: string }) {
  if (month)
    return (
      <EmptyState
        icon={<Icon name="search-x" />}
        title={`No entries in ${formatMonth(month)}`}
        action={<ButtonLink href={clearHref}>Show all months</ButtonLink>}
      >
        Nothing was earned or returned in this month.
      </EmptyState>
    );
  return <NoEarnings />;
}

export function NoEarnings() {
  return (
    <EmptyState
      icon={<Icon name="circle-dollar-sign" />}
      title="No earnings yet"
      action={<ButtonLink href="/seller/orders">View orders</ButtonLink>}
    >
      Your share of an order is earned when its placement is approved.
    </EmptyState>
  );
}
