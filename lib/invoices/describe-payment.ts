import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import { topups } from '@/db/schema/topups';
import type { Transaction } from '@/db/transaction';
import { walletCurrency } from '@/lib/money';
import { bankTransferMethod, readBankPayment } from '@/lib/payments/bank-transfers/postings';
import { providerNames } from '@/lib/payments/providers/names';

/** What was paid for a credit: an amount in minor units of its currency, its rate in millionths of a USD, and the way. */
export type Payment = { paidMinor: number; paidCurrency: string; usdMicrosPerUnit: number | null; method: string };

type Credited = { meta: unknown; amountCents: number };

const topupMeta = z.object({ topupId: z.string() });
const findTopupId = (meta: unknown): string | null => topupMeta.safeParse(meta).data?.topupId ?? null;

/**
 * Reads what was paid for credits of wallets.
 * @param credits with the `meta` of their transfers
 * @returns a function of a credit of the batch; a credit without a top-up or bank transfer is one by staff
 */
export async function readPayments(
  tx: Transaction,
  credits: readonly Credited[],
): Promise<(credit: Credited) => Payment> {
  const ids = credits.flatMap(({ meta }) => findTopupId(meta) ?? []);
  const rows = ids.length === 0 ? [] : await tx.select().from(topups).where(inArray(topups.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ meta, amountCents }) => {
    const bank = readBankPayment(meta);
    if (bank) {
      const { paidMinor, paidCurrency, usdMicrosPerUnit } = bank;
      return { paidMinor, paidCurrency, usdMicrosPerUnit, method: bankTransferMethod };
    }
    const topupId = findTopupId(meta);
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
