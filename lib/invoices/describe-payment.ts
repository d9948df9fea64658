import { inArray } from 'drizzle-orm';
import { topups } from '@/db/schema/topups';
import type { Transaction } from '@/db/transaction';
import { walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';

/** What was paid for a credit: an amount in minor units of its currency, its rate in millionths of a USD, and the way. */
export type Payment = { paidMinor: number; paidCurrency: string; usdMicrosPerUnit: number | null; method: string };

type Credited = { topupId: string | null; amountCents: number };

/**
 * Reads what was paid for credits of wallets.
 * @returns a function of a credit of the batch; a credit without a top-up is one by staff
 */
export async function readPayments(
  tx: Transaction,
  credits: readonly Credited[],
): Promise<(credit: Credited) => Payment> {
  const ids = credits.flatMap(({ topupId }) => topupId ?? []);
  const rows = ids.length === 0 ? [] : await tx.select().from(topups).where(inArray(topups.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ topupId, amountCents }) => {
    const topup = topupId === null ? undefined : byId.get(topupId);
    if (!topup)
      return {
        paidMinor: amountCents,
        paidCurrency: walletCurrency,
        usdMicrosPerUnit: null,
        method: 'Credit by staff',
      };
    return {
      paidMinor: topup.chargeAmountMinor,
      paidCurrency: topup.chargeCurrency,
      usdMicrosPerUnit: topup.chargeCurrency === walletCurrency ? null : topup.rateMicros,
      method: providerNames[topup.provider],
    };
  };
}
