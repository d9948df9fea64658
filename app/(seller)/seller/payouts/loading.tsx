import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton, TileSkeletons } from '@/components/ui/skeleton';
import { threeTileGrid } from '@/components/ui/stat-tile';

export default function PayoutsLoading() {
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Request your available balance, and see what was sent."
        actions={<Skeleton className="h-9 w-36" />}
      />
      <div className={threeTileGrid}>
        <TileSkeletons count={3} />
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <Skeleton className="h-[170px] rounded-lg" />
        <Skeleton className="h-[170px] rounded-lg" />
      </div>
      <div className="mt-6">
        <TableSkeleton rows={10} label="Loading payouts" />
      </div>
    </>
  );
}
