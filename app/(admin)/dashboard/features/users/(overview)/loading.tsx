import { description, title } from '@/app/(admin)/dashboard/features/users/_components/page-texts';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function UsersLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <Skeleton className="mb-3 h-8 w-96 max-w-full" />
      <TableSkeleton rows={10} label="Loading users" />
    </>
  );
}
