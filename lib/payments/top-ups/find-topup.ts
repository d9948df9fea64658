import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import type { Evidence } from '../providers/provider';
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

/** A top-up of this person. @throws AppError not_found for another's as for none */
export async function findOwnTopup(actor: Actor, topupId: string): Promise<typeof topups.$inferSelect> {
  const [topup] = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.id, topupId), eq(topups.userId, actor.userId)));
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}
