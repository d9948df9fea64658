import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import type { StatementResult } from '@/lib/payouts/contract';
import { movePayout } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { recordAudit } from '@/lib/platform/audit/record';
import { readStatement, type StatementRow } from './read-statement';

type Outcome = 'paid' | 'returned' | 'known';

/**
 * Records what a bank statement says of the payouts of bank files: payments that were executed are paid, and returned ones
 * are back in the balances of their sellers. Each row is a change of its own, so a statement can be read again, and rows
 * that cannot be applied do not affect the others.
 * @throws AppError too_large, invalid_input for a file that cannot be read as a whole
 */
export async function applyStatement(actor: Actor, file: Uint8Array): Promise<StatementResult> {
  const { rows, skipped } = readStatement(file);
  const result: StatementResult = { paid: 0, returned: 0, known: 0, skipped, refused: [] };
  const seen = new Set<string>();
  // A payment and its return may be in one statement, in any order.
  for (const row of [...rows].sort((one, other) => Number(one.isReturn) - Number(other.isReturn))) {
    try {
      requireOnce(seen, row);
      const outcome = await db().transaction((tx) => applyRow(tx, actor, row));
      if (outcome === null) result.skipped += 1;
      else result[outcome] += 1;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      result.refused.push({ reference: row.endToEndId, message: thrown.message });
    }
  }
  const { paid, returned, refused } = result;
  await db().transaction((tx) =>
    recordAudit(tx, actor, {
      action: 'payout_statement.read',
      details: `A bank statement was read: ${paid} payouts paid, ${returned} returned, ${refused.length} rows refused.`,
      entityType: 'payout_statement',
      entityId: actor.userId,
    }),
  );
  return result;
}

/** Checks that no payment is booked twice; repeated rows were removed before. @throws AppError conflict */
function requireOnce(seen: Set<string>, { endToEndId, isReturn, currency, amountCents }: StatementRow): void {
  const payment = JSON.stringify([endToEndId, isReturn, currency, amountCents]);
  if (seen.has(payment)) {
    throw new AppError(
      'conflict',
      `The statement has this ${isReturn ? 'return' : 'payment'} on more than one day. Check with your bank whether it was booked twice.`,
    );
  }
  seen.add(payment);
}

/** Returns null for a row that is not about a payout. */
async function applyRow(tx: Executor, actor: Actor, row: StatementRow): Promise<Outcome | null> {
  const [payout] = await tx.select().from(payouts).where(eq(payouts.id, row.endToEndId)).for('no key update');
  if (!payout) return null;
  requireNotOwn(actor, payout.sellerId, 'upload a statement with your own payout');
  requireSamePayment(payout, row);
  if (row.isReturn) {
    if (payout.state === 'failed' || payout.state === 'returned') return 'known';
    const reason = row.reason ?? 'The bank returned the payment.';
    const to = payout.state === 'paid' ? 'returned' : 'failed';
    await movePayout(tx, actor, payout, { to, what: `was returned by the bank: ${reason}`, change: { reason } });
    return 'returned';
  }
  if (payout.state === 'paid' || payout.state === 'returned') return 'known';
  if (payout.state === 'failed') {
    throw new AppError(
      'conflict',
      'The bank executed this payment, but the payout is marked as failed and its amount is in the balance of the seller again. Ask the seller or your bank to return the payment.',
    );
  }
  await movePayout(tx, actor, payout, {
    to: 'paid',
    what: 'was paid according to the bank statement',
    change: { reference: payout.id },
  });
  return 'paid';
}

/** @throws AppError conflict for a row that states another payment than the one of the payout */
function requireSamePayment(payout: Payout, row: StatementRow): void {
  if (payout.methodKind !== 'bank' || payout.batchId === null) {
    throw new AppError('conflict', 'This payout was never in a bank file.');
  }
  if (row.direction !== (row.isReturn ? 'credit' : 'debit')) {
    throw new AppError('conflict', 'The payment reached your account and is not marked as a return.');
  }
  const cents = getNetCents(payout);
  if (row.currency === walletCurrency && row.amountCents === cents) return;
  throw new AppError(
    'conflict',
    `The statement has ${formatMoney(row.amountCents, row.currency)}, and the payout is ${formatUsd(cents)}. Check it with your bank and mark the payout manually.`,
  );
}
