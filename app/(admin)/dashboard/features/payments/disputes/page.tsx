import { ShieldCheck } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { readPageParams } from '@/components/table/page-params';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { countDisputes, type DisputeState, listDisputes } from '@/lib/payments/reversals/disputes';
import { disputesPath as pathname, paymentTabs } from '../_components/payment-tabs';
import { DisputeCard, disputeColumns } from './_components/dispute-columns';

export const metadata: Metadata = { title: 'Disputes' };

const pageSizes = [25, 50, 100] as const;
const defaultRows = 25;
const states: { state: DisputeState; label: string }[] = [
  { state: 'open', label: 'Open' },
  { state: 'ended', label: 'Won and lost' },
];

export default async function DisputesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const shown: DisputeState = oneParam(params, 'state') === 'ended' ? 'ended' : 'open';
  const page = readPageParams(params, pageSizes, defaultRows);
  const [rows, open, ended] = await Promise.all([
    listDisputes(shown, page),
    countDisputes('open'),
    countDisputes('ended'),
  ]);
  const counts = { open, ended };
  return (
    <>
      <PageHeader
        title="Disputes"
        description="Top-ups that a buyer disputes at the bank or at PayPal. Evidence counts until the provider’s deadline, and is sent there."
      />
      <Tabs label="Payments" tabs={paymentTabs('disputes', open)} />
      <div className="my-4">
        <Tabs
          label="States of disputes"
          tabs={states.map(({ state, label }) => ({
            href: withParams(pathname, {}, { state: state === 'open' ? null : state }),
            label,
            current: state === shown,
            count: counts[state],
          }))}
        />
      </div>
      <DataTable
        caption={shown === 'open' ? 'Open disputes' : 'Disputes that were won or lost'}
        columns={disputeColumns}
        rows={rows}
        rowKey={({ id }) => id}
        card={(one) => <DisputeCard one={one} />}
        pathname={pathname}
        searchParams={params}
        wide
        empty={
          <EmptyState icon={<ShieldCheck />} title="No disputes">
            {shown === 'open'
              ? 'A dispute appears here as soon as its provider reports it.'
              : 'No dispute was won or lost yet.'}
          </EmptyState>
        }
        paging={{ page, total: counts[shown], sizes: pageSizes, defaultRows }}
      />
    </>
  );
}
