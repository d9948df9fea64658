import { formatMoney } from '@/lib/money';
import type { ReturnedTopup } from '@/lib/payments/top-ups/settle-return';

export type TopUpNotice = {
  tone: 'info' | 'success' | 'warning' | 'error';
  title: string;
  text?: string;
  /** Nothing is decided: asking again makes sense. */
  isOpen: boolean;
  /** The money is in the wallet. */
  isPaid?: true;
  /** The provider's page on which the same top-up continues. */
  payerActionUrl?: string;
};

export const checkingNotice: TopUpNotice = { tone: 'info', title: 'Confirming your payment…', isOpen: true };

export const cancelledNotice: TopUpNotice = {
  tone: 'info',
  title: 'Payment cancelled. Nothing was charged.',
  isOpen: false,
};

/** The provider could not be asked. */
export const unknownNotice: TopUpNotice = {
  tone: 'warning',
  title: 'We could not check your payment just now.',
  text: 'If you paid, the money is credited as soon as the provider confirms it. You need not pay again.',
  isOpen: true,
};

const startAgain = 'Start a new top-up to try again or to pay another way.';

/** What the buyer can do, by why nothing was charged. */
const failedTexts: Record<NonNullable<ReturnedTopup['refusal']> | 'other', string> = {
  final:
    'The provider refused the payment and nothing was charged. Start a new top-up and pay another way, or ask the provider about your account.',
  merchant_action:
    'The provider does not take payments for us at the moment and nothing was charged. Start a new top-up and pay another way. Our team sees the problem.',
  payer_action: startAgain,
  temporary: startAgain,
  other: startAgain,
};

/** What became of a top-up, as its buyer should read it. */
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
          title: 'PayPal has not taken the payment. Nothing was charged.',
          text: 'Go back to PayPal to choose another way to pay or to confirm the payment. This top-up continues there.',
          isOpen: false,
          payerActionUrl,
        };
      }
      return {
        tone: 'info',
        title: `Your payment of ${money} is not confirmed yet.`,
        text: 'It stands below as Pending and is credited as soon as the money arrives. You need not pay again.',
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
        title: `Your payment arrived, but it does not match the ${money} you asked for.`,
        text: 'We keep it safe and look into it. You need not pay again.',
        isOpen: false,
      };
    case 'refunded':
      return { tone: 'info', title: `Your payment of ${money} was refunded.`, isOpen: false };
    case 'disputed':
      return { tone: 'warning', title: `Your payment of ${money} is disputed.`, isOpen: false };
  }
}
