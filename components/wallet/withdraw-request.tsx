'use client';

import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';

type WithdrawRequestProps = {
  /** The address of the request in the API. */
  path: string;
  subject: 'payout' | 'refund';
  amount: string;
  /** The word for it on the buttons and in the message. */
  word: 'payout' | 'request';
  consequence: string;
};

/** Withdraws a requested payout or refund, after a confirmation. */
export function WithdrawRequest({ path, subject, amount, word, consequence }: WithdrawRequestProps) {
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" aria-label={`Withdraw the ${subject} of ${amount}`}>
          Withdraw
        </Button>
      }
      title={`Withdraw the ${subject} of ${amount}?`}
      description={consequence}
      confirmLabel={`Withdraw ${word}`}
      cancelLabel={`Keep ${word}`}
      action={() => apiFetch(path, { method: 'DELETE' }).catch(redirectIfSignedOut)}
      done={`${word === 'payout' ? 'Payout' : 'Request'} withdrawn.`}
    />
  );
}
