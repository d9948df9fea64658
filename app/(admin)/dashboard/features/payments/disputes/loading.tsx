import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';

export default function DisputesLoading() {
  return (
    <>
      <PageHeader
        title="Disputes"
        description="Top-ups that a buyer disputes with their bank or PayPal. Submit evidence to the provider before its deadline."
      />
      <div role="status" aria-label="Loading disputes">
        <Skeleton className="mb-4 h-10 w-full" />
        <Skeleton className="mb-4 h-10 w-64" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </>
  );
}
