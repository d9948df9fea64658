import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton, TileSkeletons } from '@/components/ui/skeleton';
import { tileGrid } from '@/components/ui/stat-tile';

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
