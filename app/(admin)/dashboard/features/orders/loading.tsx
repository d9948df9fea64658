import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function AdminOrdersLoading() {
  return (
    <>
      <PageHeader
        title="Admin · Orders"
        description="All buyers’ orders, with status, live link, content and refunds."
      />
      <Skeleton className="mb-3 h-8 w-96 max-w-full" />
      <TableSkeleton rows={12} label="Loading orders" />
    </>
  );
}
