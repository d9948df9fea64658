import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';
import type { Scope } from '@/lib/developers/webhooks/rights';
import { webhooksDescription, webhooksTitle } from './page-texts';

/** The placeholder of the page of webhook endpoints. */
export function WebhooksLoading({ scope }: { scope: Scope }) {
  return (
    <>
      <PageHeader
        title={webhooksTitle}
        description={webhooksDescription[scope]}
        actions={<Skeleton className="h-9 w-36" />}
      />
      <TableSkeleton rows={5} label="Loading webhook endpoints" />
    </>
  );
}
