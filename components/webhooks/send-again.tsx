'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { DeliveryView } from '@/lib/developers/webhooks/views';

type SendAgainProps = {
  /** The request that sends the event and answers with the delivery. */
  path: string;
  body?: Record<string, string>;
  label: string;
  /** What is sent, for screen readers. */
  name: string;
};

/** A button that sends a delivery or an event again and shows the result. */
export function SendAgain({ path, body, label, name }: SendAgainProps) {
  const router = useRouter();
  const [isPending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    try {
      const sent = await apiFetch<DeliveryView>(path, { method: 'POST', body });
      if (sent.state === 'delivered') toast.success(`Delivered: the endpoint answered ${sent.lastStatus}.`);
      else if (sent.attempts === 0 || sent.lastError === '') toast('It is sent next.');
      else toast.error(`Not delivered. ${sent.lastError}`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || `The request failed (HTTP ${cause.status}).`);
    } finally {
      setPending(false);
      router.refresh();
    }
  };
  return (
    <Button size="sm" pending={isPending} onClick={() => void send()} aria-label={`${label}: ${name}`}>
      {label}
    </Button>
  );
}
