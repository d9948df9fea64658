import { TileSkeletons } from '@/components/dashboard/card-skeleton';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';

export default function EarningsLoading() {
  return (
    <>
      <PageHeader
        title="Earnings"
        description="What your placements bring, when it becomes payable, and what was paid out."
      />
      <div className={tileGrid}>
        <TileSkeletons count={4} />
      </div>
      <div className="mt-6">
        <TableSkeleton rows={10} label="Loading earnings" />
      </div>
    </>
  );
}
