import { TileSkeletons } from '@/components/dashboard/card-skeleton';
import { threeTileGrid } from '@/components/dashboard/tile-grid';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function EarningsLoading() {
  return (
    <>
      <PageHeader
        title="Earnings"
        description="What your approved placements earned, with the order of every entry."
        actions={<Skeleton className="h-9 w-32" />}
      />
      <div className={threeTileGrid}>
        <TileSkeletons count={3} />
      </div>
      <div className="mt-6">
        <TableSkeleton rows={10} label="Loading earnings" />
      </div>
    </>
  );
}
