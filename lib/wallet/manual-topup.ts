import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { transfers } from '../../db/schema/ledger';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { formatMoney, walletCurrency } from '../money';
import { requireUser } from '../users/queries';
import type { ManualTopupInput } from './admin-schemas';
import { adjustmentsAccount, postTransfer, walletOf } from './post-transfer';

export type ManualTopup = { transferId: string; userId: string; amountCents: number; balanceCents: number };

/**
 * Credits a wallet by hand, out of the adjustments account, so that the books tell given money from paid money.
 * @param idempotencyKey a repeat with the same key and request credits nothing and answers what the first answered
 * @throws AppError not_found for nobody or a deleted person, conflict when the key was used for another top-up
 */
export async function topUpManually(
  actor: Actor,
  { userId, amountCents, note }: ManualTopupInput,
  idempotencyKey: string | null = null,
): Promise<ManualTopup> {
  const user = await requireUser(userId);
  if (user.isDeleted) throw new AppError('not_found', 'This user was deleted.');
  const written = note || 'Manual top-up';
  return db().transaction(async (tx) => {
    const posted = await postTransfer(tx, {
      key: `manual:${idempotencyKey === null ? newId() : hashed(actor.userId, idempotencyKey)}`,
      kind: 'manual_topup',
      from: adjustmentsAccount,
      to: walletOf(user.id),
      amountCents,
      currency: walletCurrency,
      actorId: actor.userId,
      method: 'Manual',
      note: written,
    });
    const answer = {
      transferId: posted.transferId,
      userId: user.id,
      amountCents,
      balanceCents: posted.toBalanceCents ?? 0,
    };
    if (posted.replayed) {
      const [first] = await tx.select().from(transfers).where(eq(transfers.id, posted.transferId));
      if (first?.note === written) return answer;
      throw new AppError('conflict', 'This Idempotency-Key was used for another top-up.');
    }
    await recordAudit(tx, actor, {
      action: 'wallet.topped_up',
      details: `${formatMoney(amountCents, walletCurrency)} credited by hand to ${user.email}: ${written}.`,
      entityType: 'wallet',
      entityId: user.id,
      amountCents,
      after: { transactionId: posted.transferId, balanceCents: answer.balanceCents },
    });
    return answer;
  });
}

/** Two admins may use the same key without meeting. */
const hashed = (userId: string, key: string) => createHash('sha256').update(`${userId}\n${key}`).digest('hex');
