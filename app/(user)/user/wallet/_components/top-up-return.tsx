'use client';

import { X } from 'lucide-react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-class';
import { ButtonLink } from '@/components/ui/button-link';
import { IconButton } from '@/components/ui/icon-button';
import { checkingNotice } from './top-up-outcome';
import { useTopUpReturn } from './use-top-up-return';

/**
 * Back from a payment: what came of it.
 * @param back the page that waits for the money; '' for none
 */
export function TopUpReturn({ back }: { back: string }) {
  const { notice, again, dismiss } = useTopUpReturn(back);
  if (!notice) return null;
  const isChecking = notice === checkingNotice;
  return (
    <Alert
      tone={notice.tone}
      title={notice.title}
      className="mb-4"
      action={
        isChecking ? null : (
          <div className="flex items-center gap-1">
            {notice.isOpen ? (
              <Button size="sm" onClick={() => void again()}>
                Check again
              </Button>
            ) : null}
            {back ? (
              <ButtonLink href={back} size="sm">
                Back to your order
              </ButtonLink>
            ) : null}
            {notice.payerActionUrl ? (
              <a href={notice.payerActionUrl} className={buttonClass({ size: 'sm' })}>
                Go back to PayPal
              </a>
            ) : null}
            <IconButton label="Dismiss" onClick={dismiss} className="text-current">
              <X className="size-4" />
            </IconButton>
          </div>
        )
      }
    >
      {notice.text}
    </Alert>
  );
}
