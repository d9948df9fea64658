import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function AuditLogsLoading() {
  return (
    <>
      <PageHeader title="Audit Logs" description="Who did what, and when. Entries can’t be changed or deleted." />
      <Skeleton className="mb-3 h-8 w-96 max-w-full" />
      <TableSkeleton rows={12} label="Loading audit logs" />
    </>
  );
}
