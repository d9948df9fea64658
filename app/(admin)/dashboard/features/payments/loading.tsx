import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';

export default function PaymentsLoading() {
  return (
    <>
      <PageHeader title="Payments" description="How buyers pay: keys, modes and notifications for each provider." />
      <Skeleton className="mb-6 h-10 w-full" />
      <div
        role="status"
        aria-label="Loading settings"
        className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
      >
        <Skeleton className="h-110 rounded-lg" />
        <Skeleton className="h-48 rounded-lg" />
      </div>
    </>
  );
}
