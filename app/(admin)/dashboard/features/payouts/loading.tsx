import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';
import { description, title } from './_components/page-texts';

export default function PayoutsLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <Skeleton className="mb-6 h-28 w-full" />
      <Skeleton className="mb-3 h-8 w-96 max-w-full" />
      <TableSkeleton rows={8} label="Loading payouts" />
    </>
  );
}
