'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { cancelEmailChangeAction } from '../actions';

/** A new address that has not confirmed itself yet, and the way to give it up. */
export function PendingEmail({ email }: { email: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const cancel = async () => {
    setPending(true);
    try {
      await callAction(cancelEmailChangeAction({}));
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'Network error. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Alert
      tone="info"
      action={
        <Button size="sm" pending={pending} onClick={cancel}>
          Keep the old one
        </Button>
      }
    >
      {`${email} waits for its confirmation. The link in the mail works for 24 hours.`}
    </Alert>
  );
}
