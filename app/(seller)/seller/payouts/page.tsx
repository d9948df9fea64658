import { CircleDollarSign, Percent, Wallet } from 'lucide-react';
import type { Metadata } from 'next';
import { threeTileGrid } from '@/components/dashboard/tile-grid';
import { FeatureDisabled } from '@/components/shell/feature-disabled';
import { readIdPageParams } from '@/components/table/page-params';
import type { SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile } from '@/components/ui/stat-tile';
import { requirePage } from '@/lib/auth/page-guard';
import { getOwnFactors } from '@/lib/auth/require-both-factors';
import { countryCodes } from '@/lib/payouts/methods/details';
import { findPayoutMethod, payoutMethodView } from '@/lib/payouts/methods/show';
import { findOpenPayout, listSellerPayouts } from '@/lib/payouts/queries';
import { getAvailableCents } from '@/lib/payouts/request';
import { readPayoutRules } from '@/lib/payouts/rules';
import { getPayoutSchedule } from '@/lib/payouts/schedule';
import { defaultPayoutRows, payoutPageSizes } from '@/lib/payouts/schemas';
import { payoutView } from '@/lib/payouts/views';
import { flags } from '@/lib/settings/feature-flags/flags';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { PayoutList } from './_components/payout-list';
import { PayoutMethodCard } from './_components/payout-method-card';
import { RequestPayout } from './_components/request-payout';
import { ScheduleCard } from './_components/schedule-card';

export const metadata: Metadata = { title: 'Payouts' };

export default async function PayoutsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId, email } = await requirePage('seller', 'seller');
  const params = await searchParams;
  const page = readIdPageParams(params, payoutPageSizes, defaultPayoutRows);
  const [isOn, { rows, ...counted }] = await Promise.all([
    isFlagOn('payouts'),
    listSellerPayouts(userId, { limit: page.limit, offset: page.offset, cursor: page.cursor }),
  ]);
  if (!isOn && counted.total === 0) return <FeatureDisabled title="Payouts" text={flags.payouts.off} />;
  const list = <PayoutList payouts={rows.map(payoutView)} page={page} counted={counted} searchParams={params} />;
  if (!isOn) {
    return (
      <>
        <PageHeader title="Payouts" description="Your earlier payouts." />
        <Alert className="mb-6">{flags.payouts.off}</Alert>
        {list}
      </>
    );
  }
  const [availableCents, { rules }, method, schedule, open, factors] = await Promise.all([
    getAvailableCents(userId),
    readPayoutRules(),
    findPayoutMethod(userId),
    getPayoutSchedule(userId),
    findOpenPayout(userId),
    getOwnFactors(userId),
  ]);
  const feeCents = method ? rules.feeCents[method.kind] : null;
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Request your available balance, and see what was sent."
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
          icon={Wallet}
        />
        <StatTile
          label="Minimum"
          value={<Money amountMinor={rules.minimumCents} />}
          hint="of each payout"
          icon={CircleDollarSign}
        />
        <StatTile
          label="Fee"
          value={feeCents === null ? '–' : <Money amountMinor={feeCents} />}
          hint={feeCents === null ? 'depends on your payout method' : 'of each payout, deducted from it'}
          icon={Percent}
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
