import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { paymentReversals } from '../../db/schema/topups';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { returnInPart } from './return-in-part';
import { isWithheld } from './withheld';

/**
 * An admin saw at the provider that what a won dispute took is back, though no notification told so: it returns to the
 * wallet, where a debt is paid from it first. The audit log names the admin.
 * @throws AppError not_found when nothing is withheld for it (any more)
 */
export async function confirmReturn(actor: Actor, reversalId: string): Promise<void> {
  const [reversal] = await db()
    .select()
    .from(paymentReversals)
    .where(and(eq(paymentReversals.id, reversalId), isWithheld()));
  if (!reversal) throw new AppError('not_found', 'Nothing is withheld for this dispute any more.');
  await returnInPart(actor, reversal, reversal.amountMinor);
}
