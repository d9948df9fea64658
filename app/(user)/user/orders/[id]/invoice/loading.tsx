import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';

export default function InvoiceLoading() {
  return (
    <div role="status" aria-label="Loading the invoice" className="mx-auto max-w-[52rem]">
      <PageHeader title="Invoice" description="Billed to you and paid from your wallet. Its number never changes." />
      <div className="card grid gap-8 p-10">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </div>
  );
}
