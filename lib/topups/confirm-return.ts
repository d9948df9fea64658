import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { paymentReversals, topups } from '../../db/schema/topups';
import { requireNotOwn } from '../approvals/require-not-own';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { returnInPart } from './return-in-part';
import { isWithheld } from './withheld';

/**
 * An admin saw at the provider that what a won dispute took is back, though no notification told so: it returns to the
 * wallet, where a debt is paid from it first. The audit log names the admin.
 * @throws AppError not_found when nothing is withheld for it (any more), forbidden for the actor's own wallet
 */
export async function confirmReturn(actor: Actor, reversalId: string): Promise<void> {
  const [found] = await db()
    .select({ reversal: paymentReversals, userId: topups.userId })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .where(and(eq(paymentReversals.id, reversalId), isWithheld()));
  if (!found) throw new AppError('not_found', 'Nothing is withheld for this dispute any more.');
  requireNotOwn(actor, found.userId, 'return money to your own wallet');
  await returnInPart(actor, found.reversal, found.reversal.amountMinor);
}
