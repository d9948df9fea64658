import type { Metadata } from 'next';
import { PayoutMethodLabel, PayoutStateBadge } from '@/components/payouts/payout-labels';
import { FeatureDisabled } from '@/components/shell/notices';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, DataTable, noValue } from '@/components/table/data-table';
import type { Counted } from '@/components/table/pagination';
import { type IdPageParams, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, threeTileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { getOwnFactors } from '@/lib/auth/second-factor';
import { type PayoutView, payoutView } from '@/lib/payouts/contract';
import { findPayoutMethod, payoutMethodView } from '@/lib/payouts/methods/show';
import { findOpenPayout, listSellerPayouts } from '@/lib/payouts/queries';
import { getAvailableCents } from '@/lib/payouts/request';
import { getPayoutRules } from '@/lib/payouts/rules';
import { getPayoutSchedule } from '@/lib/payouts/schedule';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { RequestPayout, WithdrawPayout } from './_components/payout-actions';
import { PayoutMethodCard } from './_components/payout-method-card';
import { ScheduleCard } from './_components/schedule-card';

const pathname = '/seller/payouts';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

export default async function PayoutsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId, email } = await requirePage('seller', 'seller');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const [isOn, { rows, ...counted }] = await Promise.all([
    isFlagOn('payouts'),
    listSellerPayouts(userId, page.request),
  ]);
  if (!isOn && counted.total === 0) return <FeatureDisabled title={texts.title} text={flags.payouts.off} />;
  const list = <PayoutList payouts={rows.map(payoutView)} page={page} counted={counted} searchParams={params} />;
  if (!isOn) {
    return (
      <>
        <PageHeader {...texts} description="Your earlier payouts." />
        <Alert className="mb-6">{flags.payouts.off}</Alert>
        {list}
      </>
    );
  }
  const [availableCents, { rules }, method, schedule, open, factors] = await Promise.all([
    getAvailableCents(userId),
    getPayoutRules(),
    findPayoutMethod(userId),
    getPayoutSchedule(userId),
    findOpenPayout(userId),
    getOwnFactors(userId),
  ]);
  const feeCents = method ? rules.feeCents[method.kind] : null;
  return (
    <>
      <PageHeader
        {...texts}
        actions={
          feeCents === null || open ? null : (
            <RequestPayout availableCents={availableCents} minimumCents={rules.minimumCents} feeCents={feeCents} />
          )
        }
      />
      <div className={threeTileGrid}>
        <StatTile
          label="Available"
          value={<Money amountMinor={availableCents} />}
          hint={describeAvailable({ hasOpen: open !== undefined, isEnough: availableCents >= rules.minimumCents })}
          icon="wallet"
        />
        <StatTile
          label="Minimum"
          value={<Money amountMinor={rules.minimumCents} />}
          hint="of each payout"
          icon="circle-dollar-sign"
        />
        <StatTile
          label="Fee"
          value={feeCents === null ? '–' : <Money amountMinor={feeCents} />}
          hint={feeCents === null ? 'depends on your payout method' : 'of each payout, deducted from it'}
          icon="percent"
        />
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <PayoutMethodCard
          method={payoutMethodView(method)}
          isResting={method !== undefined && method.usableAt > new Date()}
          email={email}
          factors={factors}
          feeCents={rules.feeCents}
          countryCodes={[...countryCodes].join(' ')}
        />
        <ScheduleCard schedule={schedule.schedule} nextRequestAt={schedule.nextRequestAt?.toISOString() ?? null} />
      </div>
      <section aria-labelledby="payouts" className="mt-6">
        <h2 id="payouts" className="mb-3 font-medium text-ink">
          Your payouts
        </h2>
        {list}
      </section>
    </>
  );
}

function describeAvailable({ hasOpen, isEnough }: { hasOpen: boolean; isEnough: boolean }): string {
  if (hasOpen) return 'another payout is in progress';
  return isEnough ? 'ready for a payout' : 'below the minimum';
}

type PayoutListProps = {
  payouts: PayoutView[];
  page: IdPageParams;
  counted: Counted;
  searchParams: SearchParams;
};

/** Renders the payouts of a seller, newest first. */
function PayoutList({ payouts, page, counted, searchParams }: PayoutListProps) {
  return (
    <DataTable
      caption="Payouts"
      {...{ columns, pathname, searchParams }}
      rows={payouts}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<Icon name="banknote" />} title="No payouts yet">
          Your requests appear here, with their state and the reference of the payment.
        </EmptyState>
      }
      paging={{ ...counted, page }}
    />
  );
}

const columns: Column<PayoutView>[] = [
  {
    key: 'requested',
    header: 'Requested',
    phone: 'labeled',
    className: 'whitespace-nowrap',
    cell: ({ createdAt, isScheduled }) => (
      <>
        <TimeAgo at={createdAt} />
        {isScheduled ? <span className="block text-muted text-xs">by schedule</span> : null}
      </>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    phone: 'end',
    align: 'right',
    cell: (payout) => (
      <>
        <Money amountMinor={payout.amountCents} className="text-ink" />
        {payout.feeCents > 0 ? (
          <span className="block text-muted text-xs">
            fee <Money amountMinor={payout.feeCents} />
          </span>
        ) : null}
      </>
    ),
  },
  {
    key: 'net',
    header: 'You receive',
    phone: 'labeled',
    align: 'right',
    cell: ({ amountCents, feeCents }) => <Money amountMinor={amountCents - feeCents} className="text-ink" />,
  },
  {
    key: 'method',
    header: 'Method',
    phone: 'title',
    cell: ({ methodKind, lastFour }) => <PayoutMethodLabel kind={methodKind} lastFour={lastFour} />,
  },
  {
    key: 'state',
    header: 'State',
    className: 'whitespace-nowrap',
    cell: (payout) => (
      <>
        <PayoutStateBadge state={payout.state} />
        <StateTime payout={payout} className="mt-0.5 block text-muted text-xs" />
      </>
    ),
  },
  {
    key: 'note',
    header: 'Reference or reason',
    phone: 'line',
    className: 'w-full min-w-40',
    cell: ({ reference, reason }) =>
      reason || reference ? <span className="wrap-anywhere">{reason || reference}</span> : noValue,
  },
  actionsColumn((payout) => <Actions payout={payout} />),
];

/** Shows when the payout reached its state; nothing for a request, whose time is in the first column. */
function StateTime({ payout, className }: { payout: PayoutView; className: string }) {
  const { endedAt, paidAt, sentAt, approvedAt } = payout;
  const at = endedAt ?? paidAt ?? sentAt ?? approvedAt;
  return at ? <TimeAgo at={at} className={className} /> : null;
}

function Actions({ payout: { id, state, amountCents } }: { payout: PayoutView }) {
  return state === 'requested' ? <WithdrawPayout id={id} amountCents={amountCents} /> : null;
}
