import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function OrdersLoading() {
  return (
    <>
      <PageHeader
        title="My Orders"
        description="All your placements, with status, live link and content."
        actions={
          <>
            <Skeleton className="h-9 w-36" />
            <Skeleton className="h-9 w-32" />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap gap-2">
        <Skeleton className="h-8 w-full sm:w-80" />
        <Skeleton className="h-8 w-[calc(50%-0.25rem)] sm:w-44" />
        <Skeleton className="h-8 w-[calc(50%-0.25rem)] sm:w-44" />
      </div>
      <TableSkeleton rows={10} label="Loading orders" />
    </>
  );
}
