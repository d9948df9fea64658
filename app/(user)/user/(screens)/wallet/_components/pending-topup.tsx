'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button, buttonClass } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { formatMoney } from '@/lib/money';
import { cancelTopupAction } from '@/lib/payments/actions';
import type { ReturnedTopup } from '@/lib/payments/top-ups/checkout';
import type { OpenTopup } from '@/lib/payments/top-ups/queries';

export type TopUpNotice = {
  tone: 'info' | 'success' | 'warning' | 'error';
  title: string;
  text?: string;
  /** The payment is undecided, so polling continues. */
  isOpen: boolean;
  /** The money is in the wallet. */
  isPaid?: true;
  /** The provider's page where the buyer can continue the top-up. */
  payerActionUrl?: string;
};

export const cancelledNotice: TopUpNotice = {
  tone: 'info',
  title: 'Payment canceled. Nothing was charged.',
  isOpen: false,
};

const startAgain = 'Start a new top-up to try again or use another payment method.';

/** The buyer's next step, by the reason why nothing was charged. */
const failedTexts: Record<NonNullable<ReturnedTopup['refusal']> | 'other', string> = {
  final:
    'The provider declined the payment and nothing was charged. Use another payment method, or ask the provider about your account.',
  merchant_action:
    'The provider can’t accept payments for us right now and nothing was charged. Use another payment method. Our team is aware of the problem.',
  payer_action: startAgain,
  temporary: startAgain,
  other: startAgain,
};

/** Returns the notice for a top-up's status. */
export function topUpNotice({ status, amountCents, currency, payerActionUrl, refusal }: ReturnedTopup): TopUpNotice {
  const money = formatMoney(amountCents, currency);
  switch (status) {
    case 'paid':
      return { tone: 'success', title: `${money} was added to your wallet.`, isOpen: false, isPaid: true };
    case 'created':
    case 'pending':
      if (payerActionUrl) {
        return {
          tone: 'warning',
          title: 'PayPal didn’t complete the payment. Nothing was charged.',
          text: 'Return to PayPal to choose another payment method or confirm the payment. This top-up continues there.',
          isOpen: false,
          payerActionUrl,
        };
      }
      return {
        tone: 'info',
        title: `Your payment of ${money} is not confirmed yet.`,
        text: 'It’s listed below as Pending and is credited once the money arrives. You don’t need to pay again.',
        isOpen: true,
      };
    case 'failed':
      return {
        tone: 'error',
        title: 'The payment did not go through. Nothing was added to your wallet.',
        text: failedTexts[refusal ?? 'other'],
        isOpen: false,
      };
    case 'expired':
      return { tone: 'warning', title: 'The payment page expired. Nothing was charged.', isOpen: false };
    case 'cancelled':
      return cancelledNotice;
    case 'review':
      return {
        tone: 'warning',
        title: `Your payment arrived, but it doesn’t match the ${money} you requested.`,
        text: 'Your money is safe and we’re looking into it. You don’t need to pay again.',
        isOpen: false,
      };
    case 'refunded':
      return { tone: 'info', title: `Your payment of ${money} was refunded.`, isOpen: false };
    case 'disputed':
      return { tone: 'warning', title: `Your payment of ${money} is disputed.`, isOpen: false };
  }
}

/** Continues or cancels a top-up that waits for its payment. */
export function PendingTopup({ topup, className }: { topup: OpenTopup; className?: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const cancel = async () => {
    setPending(true);
    try {
      const left = await callAction(() => cancelTopupAction({ topupId: topup.id }, pageAccount())).catch(
        redirectIfSignedOut,
      );
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
