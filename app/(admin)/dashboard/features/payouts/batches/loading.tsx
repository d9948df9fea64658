import { description, title } from '@/app/(admin)/dashboard/features/payouts/_components/page-texts';
import { payoutTabs } from '@/app/(admin)/dashboard/features/payouts/_components/payout-tabs';
import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';
import { Tabs } from '@/components/ui/tabs';

export default function PayoutBatchesLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="mb-6">
        <Tabs label="Payout views" tabs={payoutTabs('batches')} />
      </div>
      <TableSkeleton rows={8} label="Loading batches" />
    </>
  );
}
