import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, topups } from '../../db/schema/topups';
import type { Evidence } from '../payments/provider';
import { findPayment } from './find-payment';

export type Topup = typeof topups.$inferSelect;

/**
 * The top-up that evidence is about: by the id we gave the provider; where the evidence carries none, by the reference
 * the provider gave us, or by the payment as it was booked.
 */
export async function findTopup(provider: PaymentProviderName, evidence: Evidence): Promise<Topup | null> {
  if (evidence.topupId !== null) return topupWhere(provider, eq(topups.id, evidence.topupId));
  if (evidence.about === 'payment') {
    if (evidence.providerReference === null) return null;
    return topupWhere(provider, eq(topups.providerReference, evidence.providerReference));
  }
  const payment = await findPayment(db(), provider, evidence.paymentReference);
  return payment && topupWhere(provider, eq(topups.id, payment.topupId));
}

async function topupWhere(provider: PaymentProviderName, condition: ReturnType<typeof eq>): Promise<Topup | null> {
  const [found] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.provider, provider), condition))
    .limit(1);
  return found ?? null;
}
