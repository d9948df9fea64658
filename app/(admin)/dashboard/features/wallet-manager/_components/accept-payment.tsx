import { formatMoney, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import { AcceptPaymentButton } from './accept-payment-button';

/** The way to credit a payment that was kept apart; nothing where only the provider can undo it. */
export function AcceptPayment({ one }: { one: SuspendedPayment }) {
  if (one.refusal !== null) return null;
  return (
    <AcceptPaymentButton
      topupId={one.topupId}
      money={formatMoney(one.creditCents, walletCurrency)}
      asked={formatMoney(one.requestedMinor, one.requestedCurrency)}
      provider={providerNames[one.provider]}
      user={one.user.name || one.user.email}
    />
  );
}
