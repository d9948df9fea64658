import { Download, ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filter-select';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { buttonClass } from '@/components/ui/button-class';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { settlementOutcomes } from '@/db/schema/settlement';
import { paymentProviders } from '@/db/schema/topups';
import { requirePage } from '@/lib/auth/page-guard';
import { providerNames } from '@/lib/payments/providers/names';
import { countDisputes } from '@/lib/payments/reversals/disputes';
import {
  countUnbooked,
  listOwedByProviders,
  listSettlementDays,
  listSettlementLines,
  listSettlementPositions,
} from '@/lib/payments/settlement/queries';
import { defaultSettlementPageSize, settlementFilter, settlementPageSizes } from '@/lib/payments/settlement/schemas';
import { settlementPath as pathname, paymentTabs } from '../_components/payment-tabs';
import { DayCard, dayColumns } from './_components/day-columns';
import { LineCard, lineColumns, outcomeNames } from './_components/line-columns';
import { PositionCards } from './_components/position-cards';

export const metadata: Metadata = { title: 'Settlement' };

export default async function SettlementPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const isByLine = oneParam(params, 'view') === 'lines';
  const page = readPageParams(params, settlementPageSizes, defaultSettlementPageSize);
  const asked = { provider: oneParam(params, 'provider'), outcome: isByLine ? oneParam(params, 'outcome') : '' };
  const filter = settlementFilter.parse(asked);
  const isFiltered = filter.provider !== undefined || filter.outcome !== undefined;
  const clearHref = withParams(pathname, params, { provider: null, outcome: null, page: null });
  const [owed, positions, unbooked, openDisputes, days, lines] = await Promise.all([
    listOwedByProviders(),
    listSettlementPositions(),
    countUnbooked(),
    countDisputes('open'),
    isByLine ? null : listSettlementDays(filter, page),
    isByLine ? listSettlementLines(filter, page) : null,
  ]);
  const empty = isFiltered ? (
    <NoMatch title="No line matches" clearHref={clearHref}>
      Choose another provider or outcome.
    </NoMatch>
  ) : (
    <EmptyState icon={<ScrollText />} title="No statement was read yet">
      The lines of the providers’ statements appear here after the first top-up, every ten minutes.
    </EmptyState>
  );
  const common = { pathname, searchParams: params, empty };
  const paging = { page, sizes: settlementPageSizes, defaultRows: defaultSettlementPageSize };

  return (
    <>
      <PageHeader
        title="Settlement"
        description="What each payment provider received, kept as fees, paid out and still owes."
      />
      <Tabs label="Payments" tabs={paymentTabs('settlement', openDisputes)} />
      <PositionCards owed={owed} positions={positions} />
      <div className="mb-4">
        <Tabs
          label="Views of the settlement"
          tabs={[
            { href: withParams(pathname, {}, { provider: filter.provider }), label: 'By day', current: !isByLine },
            {
              href: withParams(pathname, {}, { provider: filter.provider, view: 'lines' }),
              label: 'Lines',
              current: isByLine,
              count: unbooked.open + unbooked.notOurs,
            },
          ]}
        />
      </div>
      <Toolbar
        clearHref={isFiltered ? clearHref : null}
        actions={
          <a href={withParams(`${pathname}/export`, {}, filter)} download className={buttonClass({ size: 'sm' })}>
            <Download className="size-4" />
            Export CSV
          </a>
        }
      >
        <FilterSelect
          param="provider"
          label="Provider"
          allLabel="All providers"
          className="max-sm:w-[calc(50%-0.25rem)] sm:w-44"
          options={paymentProviders.map((name) => ({ value: name, label: providerNames[name] }))}
        />
        {isByLine ? (
          <FilterSelect
            param="outcome"
            label="Outcome"
            allLabel="All outcomes"
            className="max-sm:w-[calc(50%-0.25rem)] sm:w-44"
            options={settlementOutcomes.map((name) => ({ value: name, label: outcomeNames[name] }))}
          />
        ) : null}
      </Toolbar>
      {days ? (
        <DataTable
          {...common}
          caption="Settlement by day"
          columns={dayColumns}
          rows={days.rows}
          rowKey={({ provider, mode, currency, day }) => `${provider} ${mode} ${currency} ${day}`}
          card={(day) => <DayCard day={day} />}
          paging={{ ...paging, total: days.total }}
        />
      ) : null}
      {lines ? (
        <DataTable
          {...common}
          caption="Lines of the statements"
          columns={lineColumns}
          rows={lines.rows}
          rowKey={({ id }) => id}
          card={(line) => <LineCard line={line} />}
          paging={{ ...paging, total: lines.total }}
        />
      ) : null}
    </>
  );
}
