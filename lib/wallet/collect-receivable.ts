import { db } from '../../db/client';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { formatMoney, walletCurrency } from '../money';
import { requireUser } from '../users/queries';
import { settleReceivable } from './settle-receivable';

/**
 * Takes what somebody owes out of their wallet, as far as it goes.
 * @returns what was taken, in USD cents
 * @throws AppError not_found for nobody, conflict when nothing is owed or the wallet is empty
 */
export async function collectReceivable(actor: Actor, userId: string): Promise<{ paidCents: number }> {
  const user = await requireUser(userId);
  return db().transaction(async (tx) => {
    const paidCents = await settleReceivable(tx, user.id, { cause: `collect:${newId()}`, actorId: actor.userId });
    if (paidCents === 0) throw new AppError('conflict', 'Nothing is owed any more, or the wallet is empty.');
    await recordAudit(tx, actor, {
      action: 'wallet.debt_collected',
      details: `${formatMoney(paidCents, walletCurrency)} of what ${user.email} owes was taken from the wallet.`,
      entityType: 'wallet',
      entityId: user.id,
      amountCents: paidCents,
    });
    return { paidCents };
  });
}
