'use client';

import { RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';

/** Sends or reads a batch of PayPal payouts now. */
export function RetryBatch({ id }: { id: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const retry = async () => {
    setPending(true);
    try {
      await apiFetch(`/api/admin/payouts/batches/${id}/retry`, { method: 'POST' });
      toast.success('PayPal is asked within seconds.');
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The batch couldn’t be tried again. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Button size="sm" pending={pending} onClick={retry} aria-label={`Ask PayPal about the batch ${id}`}>
      <RefreshCw className="size-4" />
      Ask PayPal
    </Button>
  );
}
