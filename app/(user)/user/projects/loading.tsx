import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-6 h-12 w-64" />
      <TableSkeleton rows={3} label="Loading projects" />
    </>
  );
}
