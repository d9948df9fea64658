import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatMoney, walletCurrency } from '@/lib/money';
import { lockPayouts, movePayout } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { recordAudit } from '@/lib/platform/audit/record';
import { openPayoutRail, openReceivers } from './rail';

/**
 * Puts approved payouts to PayPal accounts into a batch, which the job `run-payout-batches` sends, and moves them to
 * `sent`. Nothing is requested from PayPal here, so a batch exists before its first request. A payout is in one batch at
 * most.
 * @throws AppError not_configured without PayPal; not_found; conflict for a payout that is not an approved one to PayPal;
 * forbidden for the actor's own payout. Nothing is sent then.
 */
export async function sendWithPaypal(actor: Actor, { ids }: { ids: readonly string[] }): Promise<{ id: string }> {
  const { mode, account } = await openPayoutRail();
  return db().transaction(async (tx) => {
    const rows = await lockPayouts(tx, ids);
    for (const payout of rows) requireSendable(actor, payout);
    // Refuses unreadable addresses before the payouts move.
    await openReceivers(tx, rows);
    const id = newId();
    const totalCents = rows.reduce((sum, payout) => sum + getNetCents(payout), 0);
    await tx.insert(payoutBatches).values({
      id,
      kind: 'paypal',
      mode,
      payer: { clientId: account },
      payoutCount: rows.length,
      totalCents,
      nextActionAt: sql`now()`,
      createdBy: actor.userId,
    });
    await recordAudit(tx, actor, {
      action: 'payout_batch.created',
      details: `${rows.length === 1 ? '1 payout' : `${rows.length} payouts`} of ${formatMoney(totalCents, walletCurrency)} are sent with PayPal.`,
      entityType: 'payout_batch',
      entityId: id,
      amountCents: totalCents,
    });
    for (const payout of rows)
      await movePayout(tx, actor, payout, {
        to: 'sent',
        what: 'was put into a batch for PayPal',
        change: { batchId: id },
      });
    return { id };
  });
}

function requireSendable(actor: Actor, payout: Payout): void {
  requireNotOwn(actor, payout.sellerId, 'send your own payout');
  const name = `The payout of ${formatMoney(payout.amountCents, walletCurrency)}`;
  if (payout.methodKind !== 'paypal') throw new AppError('conflict', `${name} does not go to a PayPal account.`);
  if (payout.state !== 'approved') {
    throw new AppError('conflict', `${name} is ${payout.state}. Only approved payouts can be sent.`);
  }
}
