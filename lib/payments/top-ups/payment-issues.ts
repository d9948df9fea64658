import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, type ProviderMode, topups, webhookEvents } from '@/db/schema/topups';
import { currencyDecimals, toDecimalString } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { CollectionRefusal, PaymentEvidence } from '@/lib/payments/providers/provider';

const maxListed = 5;

/**
 * Returns the unresolved issues of a provider in one mode: webhook events that could not be processed, open top-ups
 * whose status could not be retrieved, and top-ups that failed because of our account at the provider. Lists the newest
 * ones with their reasons. Events and open top-ups are retried automatically for a limited time; an event also when the
 * provider sends it again.
 */
export async function findPaymentIssues(provider: PaymentProviderName, mode: ProviderMode) {
  const failedEvents = and(
    eq(webhookEvents.provider, provider),
    eq(webhookEvents.mode, mode),
    isNull(webhookEvents.processedAt),
    isNotNull(webhookEvents.error),
  );
  const failedTopups = and(
    eq(topups.provider, provider),
    eq(topups.mode, mode),
    or(and(inArray(topups.status, ['created', 'pending']), isNotNull(topups.reason)), failedByAccount()),
  );
  const [events, newest, waiting, reasons] = await Promise.all([
    db().$count(webhookEvents, failedEvents),
    db()
      .select({
        id: webhookEvents.id,
        type: webhookEvents.type,
        at: webhookEvents.receivedAt,
        why: webhookEvents.error,
      })
      .from(webhookEvents)
      .where(failedEvents)
      .orderBy(desc(webhookEvents.id))
      .limit(maxListed),
    db().$count(topups, failedTopups),
    db()
      .select({ id: topups.id, at: topups.createdAt, why: topups.reason })
      .from(topups)
      .where(failedTopups)
      .orderBy(desc(topups.id))
      .limit(maxListed),
  ]);
  return {
    notifications: { count: events, newest },
    topups: { count: waiting, newest: reasons },
  };
}

export type PaymentIssues = Awaited<ReturnType<typeof findPaymentIssues>>;

/** Prefix of the failure reason of a top-up that failed because of our account at the provider. */
const accountProblem = 'Account problem: ';

/** Returns the reason why the provider did not collect a payment, for staff, with the provider's error code. */
export function refusalReason(provider: PaymentProviderName, { kind, code }: CollectionRefusal): string {
  const name = providerNames[provider];
  const what = `${name} refused to collect the payment: ${code}.`;
  switch (kind) {
    case 'merchant_action':
      return `${accountProblem}${what} Check the account and its permissions at ${name}.`;
    case 'payer_action':
      return `${what} The buyer must return to ${name} and choose another payment method.`;
    case 'temporary':
      return `${what} The request will be retried.`;
    case 'final':
      return what;
  }
}

/** Returns the condition for top-ups of the last seven days that failed because of our account at the provider. */
const failedByAccount = () =>
  sql`(${topups.status} = 'failed' and starts_with(${topups.reason}, ${accountProblem})
    and ${topups.updatedAt} > now() - interval '7 days')`;

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
 * Checks whether the evidence is about another checkout than the top-up's. When one of them has no checkout reference
 * (the provider's response was never stored, or omits it), the top-up's id in the evidence decides.
 */
export function isOtherCheckout(topup: Topup, evidence: PaymentEvidence): boolean {
  if (topup.providerReference === null || evidence.providerReference === null) return evidence.topupId !== topup.id;
  return evidence.providerReference !== topup.providerReference;
}

/** Checks whether the evidence is about another checkout or mode. Then it does not affect the top-up's status. */
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
