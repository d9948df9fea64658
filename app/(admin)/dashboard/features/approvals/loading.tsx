import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';

export default function ApprovalsLoading() {
  return (
    <>
      <PageHeader title="Approvals" description="Changes that take effect when a second person approves them." />
      <TableSkeleton rows={6} label="Loading approvals" />
    </>
  );
}
