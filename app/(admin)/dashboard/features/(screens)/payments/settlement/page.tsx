import {
  settlementPath as pathname,
  paymentTabs,
} from '@/app/(admin)/dashboard/features/(screens)/payments/_components/payment-tabs';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { paymentProviders } from '@/db/schema/topups';
import { requirePage } from '@/lib/auth/page-guard';
import { providerNames } from '@/lib/payments/providers/names';
import { countDisputes } from '@/lib/payments/reversals/disputes';
import {
  countUnbooked,
  defaultSettlementPageSize,
  listOwedByProviders,
  listSettlementDays,
  listSettlementLines,
  listSettlementPositions,
  type SettlementDay,
  type SettlementPosition,
  settlementFilter,
} from '@/lib/payments/settlement/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { lineColumns, outcomeNames } from './_components/line-columns';

/** The amounts of a provider's day. */
const amounts: [header: string, minor: (day: SettlementDay) => number][] = [
  ['Received', (day) => day.receivedMinor],
  ['Refunded', (day) => day.returnedMinor],
  ['Fees', (day) => day.feesMinor],
  ['Paid out', (day) => day.paidOutMinor],
  ['Still owed', (day) => day.owedMinor],
];

/** The totals by provider and day. */
const dayColumns: Column<SettlementDay>[] = [
  { header: 'Day (UTC)', phone: 'end', cell: ({ day }) => <time dateTime={day}>{day}</time> },
  {
    header: 'Provider',
    phone: 'title',
    cell: ({ provider, mode }) => (
      <span className="text-ink">
        {providerNames[provider]}
        {mode === 'live' ? null : <span className="text-muted"> · {mode}</span>}
      </span>
    ),
  },
  ...amounts.map(([header, minor]) =>
    moneyColumn<SettlementDay>(header, (day) => [minor(day), day.currency], 'text-ink', 'labeled'),
  ),
];

const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function SettlementPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const isByLine = oneParam(params, 'view') === 'lines';
  const page = readIdPageParams(params, undefined, defaultSettlementPageSize);
  const { filter } = parseFilters(
    settlementFilter,
    readFilters(params, isByLine ? ['provider', 'outcome'] : ['provider']),
  );
  const [owed, positions, unbooked, openDisputes, days, lines] = await Promise.all([
    listOwedByProviders(),
    listSettlementPositions(),
    countUnbooked(),
    countDisputes('open'),
    isByLine ? null : listSettlementDays(filter, page),
    isByLine ? listSettlementLines(filter, page.request) : null,
  ]);
  const list = {
    ...texts,
    ...{ pathname, searchParams: params, page, filter: { outcome: null, ...filter } },
    children: (
      <>
        <Tabs label="Payments" tabs={paymentTabs('settlement', openDisputes)} />
        <PositionCards owed={owed} positions={positions} />
        <div className="mb-4">
          <Tabs
            label="Settlement views"
            tabs={[
              { href: withParams(pathname, {}, { provider: filter.provider }), label: 'By day', current: !isByLine },
              {
                href: withParams(pathname, {}, { provider: filter.provider, view: 'lines' }),
                label: 'Lines',
                current: isByLine,
                count: formatCount(unbooked),
              },
            ]}
          />
        </div>
      </>
    ),
    listActions: <ExportLink pathname={pathname} filter={filter} />,
    records: 'lines',
    noMatch: 'Choose another provider or outcome.',
    empty: {
      icon: <Icon name="scroll-text" />,
      title: 'No statements yet',
      children: 'Statement lines appear here after the first top-up and are updated every ten minutes.',
    },
  };
  const providerFilter = {
    param: 'provider',
    label: 'Provider',
    allLabel: 'All providers',
    className: 'max-sm:w-[calc(50%-0.25rem)] sm:w-44',
    options: providerNames,
  };
  if (lines) {
    return (
      <RecordList
        {...list}
        {...lines}
        filters={[
          providerFilter,
          { ...providerFilter, param: 'outcome', label: 'Outcome', allLabel: 'All outcomes', options: outcomeNames },
        ]}
        caption="Statement lines"
        columns={lineColumns}
        rowKey={({ id }) => id}
      />
    );
  }
  return (
    <RecordList
      {...list}
      total={days?.total}
      filters={[providerFilter]}
      caption="Settlement by day"
      columns={dayColumns}
      rows={days?.rows ?? []}
      rowKey={({ provider, mode, currency, day }) => `${provider} ${mode} ${currency} ${day}`}
    />
  );
}

type Owed = Awaited<ReturnType<typeof listOwedByProviders>>;

/** Renders a card for each provider with the amount that it owes and the date up to which its statement is imported. */
function PositionCards({ owed, positions }: { owed: Owed; positions: readonly SettlementPosition[] }) {
  const shown = paymentProviders.filter(
    (name) => owed.some(({ provider }) => provider === name) || positions.some(({ provider }) => provider === name),
  );
  return (
    <div className="my-6 grid gap-4 empty:my-2 md:grid-cols-2 xl:grid-cols-3">
      {shown.map((name) => (
        <ProviderCard
          key={name}
          title={providerNames[name]}
          owed={owed.filter(({ provider, minor }) => provider === name && minor !== 0)}
          positions={positions.filter(({ provider }) => provider === name)}
        />
      ))}
    </div>
  );
}

type ProviderCardProps = { title: string; owed: Owed; positions: readonly SettlementPosition[] };

function ProviderCard({ title, owed, positions }: ProviderCardProps) {
  return (
    <Card>
      <CardHeader title={title} description="Owed now, according to the books" />
      <CardBody className="grid gap-3 text-sm">
        <p className="flex flex-wrap gap-x-4 font-medium text-ink text-lg">
          {owed.length === 0 ? <Money amountMinor={0} /> : null}
          {owed.map(({ currency, minor }) => (
            <Money key={currency} amountMinor={minor} currency={currency} />
          ))}
        </p>
        {positions.length === 0 ? <p className="text-muted">The statement hasn’t been read yet.</p> : null}
        {positions.map(({ mode, readUntil, lastReadAt, error }) => (
          <div key={mode} className="grid gap-2">
            <p className="text-muted">
              Statement in {mode} mode complete until <TimeAgo at={readUntil} />
              {lastReadAt ? (
                <>
                  , read <TimeAgo at={lastReadAt} />
                </>
              ) : null}
              .
            </p>
            {error ? <Alert tone="error">{error}</Alert> : null}
          </div>
        ))}
      </CardBody>
    </Card>
  );
}
