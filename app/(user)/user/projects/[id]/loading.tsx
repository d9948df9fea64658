import { Skeleton, TableSkeleton, TileSkeletons } from '@/components/ui/skeleton';
import { tileGrid } from '@/components/ui/stat-tile';

export default function ProjectLoading() {
  return (
    <>
      <Skeleton className="h-6 w-56" />
      <Skeleton className="mt-2 mb-6 w-80 max-w-full" />
      <div className={tileGrid}>
        <TileSkeletons count={4} />
      </div>
      <Skeleton className="mt-4 mb-6 h-36 w-full" />
      <TableSkeleton rows={5} label="Loading the project" />
    </>
  );
}
