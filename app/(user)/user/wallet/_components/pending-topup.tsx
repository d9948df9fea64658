'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { cancelTopupAction } from '@/app/(user)/user/wallet/actions';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-class';
import { cn } from '@/components/ui/cn';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { OpenTopup } from '@/lib/payments/top-ups/open-topups';
import { topUpNotice } from './top-up-notice';

/** Continues or cancels a top-up that waits for its payment. */
export function PendingTopup({ topup, className }: { topup: OpenTopup; className?: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const cancel = async () => {
    setPending(true);
    try {
      const left = await callAction(() => cancelTopupAction({ topupId: topup.id })).catch(redirectIfSignedOut);
      if (left.status === 'created' || left.status === 'pending') {
        toast.warning('This payment can’t be canceled now.', {
          description: 'The provider is still processing it. It’s credited once the money arrives.',
        });
      } else {
        const { tone, title, text } = topUpNotice(left);
        toast[tone](title, { description: text });
      }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'We couldn’t cancel this payment. Try again.');
    } finally {
      setPending(false);
      router.refresh();
    }
  };
  return (
    <span className={cn('flex gap-2', className)}>
      {topup.continueHref ? (
        <a href={topup.continueHref} className={buttonClass({ size: 'sm' })}>
          Continue
        </a>
      ) : null}
      <Button size="sm" variant="ghost" pending={pending} onClick={() => void cancel()}>
        Cancel
      </Button>
    </span>
  );
}
