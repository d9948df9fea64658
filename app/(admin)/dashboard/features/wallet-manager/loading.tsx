import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';
import { tileGrid } from '@/components/ui/stat-tile';

export default function WalletManagerLoading() {
  return (
    <>
      <PageHeader title="Wallet Manager" description="Wallet balances, transactions and the state of the books." />
      <div className={tileGrid}>
        {['users', 'transactions', 'wallets', 'waiting'].map((name) => (
          <Skeleton key={name} className="h-25 rounded-lg" />
        ))}
      </div>
      <Skeleton className="mt-6 mb-4 h-10" />
      <Skeleton className="mb-3 h-8 w-80 max-w-full" />
      <TableSkeleton rows={12} label="Loading wallets" />
    </>
  );
}
