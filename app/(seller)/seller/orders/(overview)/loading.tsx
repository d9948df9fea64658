import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function SellerOrdersLoading() {
  return (
    <>
      <PageHeader title="Orders" description="Orders of your sites, from the offer to the approval." />
      <div className="mb-4 flex h-9 items-center gap-5 border-line border-b">
        {['New', 'To publish', 'With the buyer', 'To repair', 'Under guarantee', 'Closed'].map((label) => (
          <Skeleton key={label} className="h-4 w-20" />
        ))}
      </div>
      <div className="mb-3">
        <Skeleton className="h-8 w-full sm:w-80" />
      </div>
      <TableSkeleton rows={10} label="Loading orders" />
    </>
  );
}
