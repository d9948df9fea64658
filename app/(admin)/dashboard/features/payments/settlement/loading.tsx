import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function SettlementLoading() {
  return (
    <>
      <PageHeader
        title="Settlement"
        description="What each payment provider received, kept as fees, paid out and still owes."
      />
      <Skeleton className="mb-6 h-10 w-full" />
      <Skeleton className="mb-6 h-24 w-full rounded-lg" />
      <TableSkeleton rows={10} label="Loading settlement" />
    </>
  );
}
