import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function OrdersLoading() {
  return (
    <>
      <PageHeader title="My Orders" description="Every placement you ordered, its status, live link and content." />
      <Skeleton className="mb-3 h-8 w-72 max-w-full" />
      <TableSkeleton rows={10} label="Loading orders" />
    </>
  );
}
