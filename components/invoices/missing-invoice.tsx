'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, useTransition } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import type { OrderInvoices } from '@/lib/invoices/queries';

type Pending = NonNullable<OrderInvoices['pending']>;

const names: Record<Pending, string> = { invoice: 'invoice', credit_note: 'credit note' };

/**
 * Replaces an order's documents while it has none.
 * @param pending the document that is being issued; null if the order has none, because it cost nothing
 */
export function MissingInvoice({ pending }: { pending: Pending | null }) {
  if (!pending) {
    return (
      <EmptyState icon={<Icon name="file-x" />} title="No invoice for this order">
        An invoice is issued for each payment from your wallet. Nothing was paid for this order.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Icon name="file-clock" />}
      title={`This ${names[pending]} is being issued`}
      action={<CheckAgain />}
    >
      {orderOfNumbers}
    </EmptyState>
  );
}

/** Tells above the documents of an order that the next one is not issued yet. */
export function PendingNotice({ pending }: { pending: Pending }) {
  const title = pending === 'invoice' ? 'Another invoice is being issued' : 'A credit note is being issued';
  return (
    <Alert tone="info" title={title} action={<CheckAgain size="sm" />} className="mb-4">
      {orderOfNumbers}
    </Alert>
  );
}

const orderOfNumbers =
  'Documents are numbered in the order of the payments, and earlier payments come first. This usually takes less than a minute.';

function CheckAgain({ size }: Pick<ComponentProps<typeof Button>, 'size'>) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  return (
    <Button size={size} pending={isRefreshing} onClick={() => startRefresh(() => router.refresh())}>
      Check again
    </Button>
  );
}
