import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';

export default function DisputesLoading() {
  return (
    <>
      <PageHeader title="Disputes" description="Top-ups that a buyer disputes at the bank or at PayPal." />
      <div role="status" aria-label="Loading disputes">
        <Skeleton className="mb-4 h-10 w-full" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </>
  );
}
