import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-6 h-12 w-72" />
      <Skeleton className="mb-4 h-10" />
      <Skeleton className="mb-3 h-8" />
      <TableSkeleton rows={12} label="Loading marketplace" />
    </>
  );
}
