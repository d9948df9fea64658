import type { topups } from '@/db/schema/topups';
import { currencyDecimals, toDecimalString } from '@/lib/money';
import type { PaymentEvidence } from '@/lib/payments/providers/provider';

type Topup = typeof topups.$inferSelect;

/** Compares evidence with the top-up it names. @returns the difference, for staff, or null when they agree */
export function findMismatch(topup: Topup, evidence: PaymentEvidence): string | null {
  if (isOtherCheckout(topup, evidence))
    return `The payment ${evidence.providerReference ?? ''} belongs to another checkout.`;
  if (evidence.mode !== topup.mode) return `Paid in ${evidence.mode} mode instead of ${topup.mode} mode.`;
  if (evidence.currency !== topup.chargeCurrency || evidence.amountMinor !== topup.chargeAmountMinor) {
    const paid = formatAmount(evidence.amountMinor, evidence.currency);
    return `Paid ${paid} instead of ${formatAmount(topup.chargeAmountMinor, topup.chargeCurrency)}.`;
  }
  return null;
}

/**
 * Whether the evidence is about another checkout than the top-up's. When one of them has no checkout reference (the
 * provider's response was never stored, or omits it), the top-up's id in the evidence decides.
 */
export function isOtherCheckout(topup: Topup, evidence: PaymentEvidence): boolean {
  if (topup.providerReference === null || evidence.providerReference === null) return evidence.topupId !== topup.id;
  return evidence.providerReference !== topup.providerReference;
}

/** Whether the evidence is about another checkout or mode. Then it does not affect the top-up's status. */
export function isOtherPayment(topup: Topup, evidence: PaymentEvidence): boolean {
  return isOtherCheckout(topup, evidence) || evidence.mode !== topup.mode;
}

/**
 * Formats an amount in any currency of a provider: "10.00 USD" for 1000, "1000 JPY" for 1000.
 * @param amountMinor integer minor units
 */
export function formatAmount(amountMinor: number, currency: string): string {
  return `${toDecimalString(amountMinor, currencyDecimals(currency))} ${currency}`;
}
