import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function WalletLoading() {
  return (
    <>
      <PageHeader title="Wallet" description="Prepaid money for your orders: what came in, and what it paid for." />
      <p className="sr-only" role="status">
        Loading wallet…
      </p>
      <Skeleton className="mb-6 h-24 rounded-lg" />
      <Skeleton className="mb-3 h-8 w-96 max-w-full" />
      <TableSkeleton rows={10} label="Loading wallet…" />
    </>
  );
}
