import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EarningsHeader } from '@/app/(seller)/seller/(screens)/earnings/_components/earnings-header';
import { entryColumns } from '@/app/(seller)/seller/(screens)/earnings/_components/entry-table';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filters';
import { Toolbar } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatMonth } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid } from '@/components/ui/stat-tile';
import { requirePage } from '@/lib/auth/page-guard';
import {
  getMoneyMonths,
  getMonthlyStatement,
  listEarningEntries,
  monthlyStatementQuery,
  type SellerAccount,
} from '@/lib/earnings/statement';
import { parseFilters } from '@/lib/platform/http/parse';
import { isFlagOn } from '@/lib/settings/feature-flags';

export const metadata: Metadata = { title: 'Statement' };

const pathname = '/seller/earnings/statement';

const accounts: Record<SellerAccount, { label: string; text: string }> = {
  available: { label: 'Available', text: 'Nothing became available or was paid out in this month.' },
  pending: { label: 'Not payable yet', text: 'Nothing was earned, returned or became payable in this month.' },
};

export default async function StatementPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId } = await requirePage('seller', 'seller');
  if (!(await isFlagOn('payouts'))) notFound();
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { filter: query } = parseFilters(monthlyStatementQuery, readFilters(params, ['month', 'account']));
  const { month, account } = query;
  const [months, { openingCents, closingCents }, { rows, ...counted }] = await Promise.all([
    getMoneyMonths(userId),
    getMonthlyStatement(userId, query),
    listEarningEntries(userId, { ...query, ...page.request }),
  ]);
  const current = new Date().toISOString().slice(0, 7);
  const choices = [...new Set([month, ...months.map((row) => row.month)])].filter((value) => value !== current);
  return (
    <>
      <EarningsHeader current="statement" actions={<Downloads month={month} account={account} />} />
      <Toolbar clearHref={null}>
        <FilterSelect
          param="month"
          label="Month"
          allLabel="This month"
          options={choices
            .sort()
            .reverse()
            .map((value) => ({ value, label: formatMonth(value) }))}
          className="w-full sm:w-48"
        />
        <FilterSelect
          param="account"
          label="Balance"
          allLabel={accounts.available.label}
          options={[{ value: 'pending', label: accounts.pending.label }]}
          className="w-full sm:w-48"
        />
      </Toolbar>
      <div className={threeTileGrid}>
        <StatTile label="Opening balance" value={<Money amountMinor={openingCents} />} hint={formatMonth(month)} />
        <StatTile
          label="Change"
          value={<Money amountMinor={closingCents - openingCents} />}
          hint={counted.total === 1 ? '1 entry' : `${counted.total} entries`}
        />
        <StatTile label="Closing balance" value={<Money amountMinor={closingCents} />} hint={accounts[account].label} />
      </div>
      <section aria-label="Entries" className="mt-4">
        <DataTable
          caption={`Statement of ${formatMonth(month)}: ${accounts[account].label}`}
          columns={entryColumns(account)}
          rows={rows}
          rowKey={(entry) => String(entry.id)}
          pathname={pathname}
          searchParams={params}
          empty={
            <EmptyState icon={<Icon name="search-x" />} title={`No entries in ${formatMonth(month)}`}>
              {accounts[account].text}
            </EmptyState>
          }
          paging={{ ...counted, page }}
        />
      </section>
    </>
  );
}

function Downloads(query: { month: string; account: SellerAccount }) {
  const files = [
    { name: 'CSV', path: '/seller/earnings/export' },
    { name: 'PDF', path: '/seller/earnings/pdf' },
  ];
  return files.map(({ name, path }) => (
    <a key={name} href={withParams(path, {}, query)} download="" className={buttonClass({})}>
      <Icon name="download" />
      Export {name}
    </a>
  ));
}
