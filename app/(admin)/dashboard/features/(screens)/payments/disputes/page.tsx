import {
  disputesPath as pathname,
  paymentTabs,
} from '@/app/(admin)/dashboard/features/(screens)/payments/_components/payment-tabs';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, moneyColumn, UserName } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Tabs } from '@/components/ui/tabs';
import { TransactionDate } from '@/components/wallet/transaction-columns';
import { requirePage } from '@/lib/auth/page-guard';
import { providerNames } from '@/lib/payments/providers/names';
import {
  countDisputes,
  type Dispute,
  type DisputeState,
  disputeDashboardUrl,
  formatDisputeReason,
  listDisputes,
} from '@/lib/payments/reversals/disputes';

const disputeColumns: Column<Dispute>[] = [
  { header: 'Evidence due by', phone: 'labeled', className: 'whitespace-nowrap', cell: (one) => <DueBy one={one} /> },
  { header: 'User', phone: 'title', className: 'w-full max-w-0 min-w-40', cell: ({ user }) => <UserName {...user} /> },
  { header: 'Reason', className: 'min-w-40', cell: (one) => formatDisputeReason(one.reason) },
  { header: 'State', className: 'whitespace-nowrap', cell: (one) => <State one={one} /> },
  {
    header: 'Opened',
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: (one) => <TransactionDate at={one.openedAt.toISOString()} />,
  },
  moneyColumn('Amount', ({ amountMinor, currency }) => [amountMinor, currency]),
  { header: 'Provider', phone: 'line', className: 'whitespace-nowrap', cell: (one) => <ProviderLink one={one} /> },
];

const moneyLabels: Record<Dispute['money'], string> = {
  kept: 'No money taken',
  taken: 'Money taken',
  returned: 'Money returned',
};

const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const states: { state: DisputeState; label: string }[] = [
  { state: 'open', label: 'Open' },
  { state: 'ended', label: 'Won and lost' },
];

export default async function DisputesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const shown: DisputeState = oneParam(params, 'state') === 'ended' ? 'ended' : 'open';
  const page = readPageParams(params);
  const [rows, open, ended] = await Promise.all([
    listDisputes(shown, page),
    countDisputes('open'),
    countDisputes('ended'),
  ]);
  const counts = { open, ended };
  return (
    <RecordList
      {...texts}
      {...{ pathname, page, rows }}
      total={counts[shown]}
      searchParams={params}
      caption={shown === 'open' ? 'Open disputes' : 'Won and lost disputes'}
      columns={disputeColumns}
      rowKey={({ id }) => id}
      wide
      empty={{
        icon: <Icon name="shield-check" />,
        title: 'No disputes',
        children:
          shown === 'open'
            ? 'Disputes appear here once the provider reports them.'
            : 'No disputes have been won or lost yet.',
      }}
    >
      <Tabs label="Payments" tabs={paymentTabs('disputes', open)} />
      <div className="my-4">
        <Tabs
          label="Dispute states"
          tabs={states.map(({ state, label }) => ({
            href: withParams(pathname, {}, { state: state === 'open' ? null : state }),
            label,
            current: state === shown,
            count: counts[state],
          }))}
        />
      </div>
    </RecordList>
  );
}

function DueBy({ one }: { one: Dispute }) {
  if (one.outcome !== null) return <span className="text-muted">Decided</span>;
  if (one.evidenceDueBy === null) return <span className="text-muted">Deadline not reported</span>;
  return <TransactionDate at={one.evidenceDueBy.toISOString()} />;
}

function State({ one }: { one: Dispute }) {
  const badge =
    one.outcome === null ? (
      <Badge tone="yellow">Open</Badge>
    ) : one.outcome === 'won' ? (
      <Badge tone="green">Won</Badge>
    ) : (
      <Badge tone="red">Lost</Badge>
    );
  return (
    <span className="grid justify-items-start gap-1">
      {badge}
      <span className="text-muted text-xs">{moneyLabels[one.money]}</span>
    </span>
  );
}

function ProviderLink({ one }: { one: Dispute }) {
  const url = disputeDashboardUrl(one);
  const name = providerNames[one.provider];
  return (
    <span className="block">
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer" className="rounded-sm text-accent-ink hover:underline">
          Open at {name}
          <span className="sr-only"> ({one.reference}, in a new tab)</span>
        </a>
      ) : (
        name
      )}
      <span className="wrap-anywhere block font-mono text-muted text-xs">{one.reference}</span>
    </span>
  );
}
