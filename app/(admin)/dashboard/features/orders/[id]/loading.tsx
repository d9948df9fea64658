import { CardSkeleton } from '@/components/dashboard/card-skeleton';
import { PageHeader } from '@/components/ui/page-header';

export default function AdminOrderLoading() {
  return (
    <>
      <PageHeader title="Order" description="Brief, delivery, history and money of the order." />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <CardSkeleton label="Loading the order" lines={8} />
        <CardSkeleton label="Loading the details" lines={8} />
      </div>
    </>
  );
}
