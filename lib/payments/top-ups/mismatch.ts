import type { topups } from '@/db/schema/topups';
import { currencyDecimals, toDecimalString } from '../../money';
import type { PaymentEvidence } from '../providers/provider';

type Topup = typeof topups.$inferSelect;

/**
 * Is this evidence about another payment than the one intended?
 * @returns what differs, for the person who looks into it, or null when intent and evidence agree
 */
export function mismatchOf(topup: Topup, evidence: PaymentEvidence): string | null {
  if (isForeign(topup, evidence)) return `The payment ${evidence.providerReference ?? ''} belongs to another checkout.`;
  if (evidence.mode !== topup.mode) return `Paid in ${evidence.mode} mode instead of ${topup.mode} mode.`;
  if (evidence.currency !== topup.chargeCurrency || evidence.amountMinor !== topup.chargeAmountMinor) {
    const paid = amountInWords(evidence.amountMinor, evidence.currency);
    return `Paid ${paid} instead of ${amountInWords(topup.chargeAmountMinor, topup.chargeCurrency)}.`;
  }
  return null;
}

/**
 * Whether it is about another checkout than the intent's. Where either of them names no checkout (the provider's answer
 * was never stored, or leaves it out), the intent's id in the evidence ties them.
 */
export function isForeign(topup: Topup, evidence: PaymentEvidence): boolean {
  if (topup.providerReference === null || evidence.providerReference === null) return evidence.topupId !== topup.id;
  return evidence.providerReference !== topup.providerReference;
}

/** Is it about another checkout, or one in another mode? Then it tells nothing about whether the intent's own is paid. */
export function isOfAnother(topup: Topup, evidence: PaymentEvidence): boolean {
  return isForeign(topup, evidence) || evidence.mode !== topup.mode;
}

/**
 * "10.00 USD" from 1000 and "1000 JPY" from 1000, for any currency that a provider may charge in.
 * @param amountMinor integer minor units
 */
export function amountInWords(amountMinor: number, currency: string): string {
  return `${toDecimalString(amountMinor, currencyDecimals(currency))} ${currency}`;
}
