import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';

export default function WalletLoading() {
  return (
    <>
      <PageHeader title="Wallet" description="Your prepaid balance, with every top-up and payment." />
      <Skeleton className="mb-6 h-22 rounded-lg" />
      <p role="status" className="mb-3 h-8 text-muted text-sm leading-8">
        Loading wallet…
      </p>
      <TableSkeleton rows={10} label="Transactions" />
    </>
  );
}
