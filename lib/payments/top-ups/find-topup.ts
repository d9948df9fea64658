import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { Evidence } from '@/lib/payments/providers/provider';
import { findPayment } from './find-payment';

export type Topup = typeof topups.$inferSelect;

/**
 * Finds the top-up of evidence: by the id sent to the provider; without it, by the provider's reference or by the
 * booked payment.
 */
export async function findTopup(provider: PaymentProviderName, evidence: Evidence): Promise<Topup | null> {
  if (evidence.topupId !== null) return findTopupWhere(provider, eq(topups.id, evidence.topupId));
  if (evidence.about === 'payment') {
    if (evidence.providerReference === null) return null;
    return findTopupWhere(provider, eq(topups.providerReference, evidence.providerReference));
  }
  const payment = await findPayment(db(), provider, evidence.paymentReference);
  return payment && findTopupWhere(provider, eq(topups.id, payment.topupId));
}

async function findTopupWhere(provider: PaymentProviderName, condition: ReturnType<typeof eq>): Promise<Topup | null> {
  const [found] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.provider, provider), condition))
    .limit(1);
  return found ?? null;
}

/** Returns the user's own top-up. @throws AppError not_found when it does not exist or belongs to another user */
export async function requireOwnTopup(actor: Actor, topupId: string): Promise<typeof topups.$inferSelect> {
  const [topup] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.id, topupId), eq(topups.userId, actor.userId)));
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}
