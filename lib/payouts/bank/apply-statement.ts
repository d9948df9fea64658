import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { ApprovalRequired, requestApproval, requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import type { StatementResult } from '@/lib/payouts/contract';
import { exceedsReturnLimit } from '@/lib/payouts/limits';
import { bankDetails } from '@/lib/payouts/methods/contract';
import { isReturnable, movePayout } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { describeReturn, getReturnSubject, returnPayout } from '@/lib/payouts/return';
import { recordAudit } from '@/lib/platform/audit/record';
import { readStatement, type StatementRow } from './read-statement';

type Outcome = 'paid' | 'returned' | 'waiting' | 'known' | 'skipped';

/**
 * Records what a bank statement says of the payouts of bank files: payments that were executed are paid, and returned ones
 * are back in the balances of their sellers, or wait for a second person. Each row is a change of its own, so a statement
 * can be read again, and rows that cannot be applied do not affect the others.
 * @throws AppError too_large, invalid_input for a file that cannot be read as a whole
 */
export async function applyStatement(actor: Actor, file: Uint8Array): Promise<StatementResult> {
  const { rows, skipped } = readStatement(file);
  const sha256 = createHash('sha256').update(file).digest('hex');
  const result: StatementResult = { paid: 0, returned: 0, waiting: 0, known: 0, skipped, refused: [] };
  const seen = new Set<string>();
  // A payment and its return may be in one statement, in any order.
  for (const row of [...rows].sort((one, other) => Number(one.isReturn) - Number(other.isReturn))) {
    try {
      requireOnce(seen, row);
      result[await applyOrRequest(actor, row, sha256)] += 1;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      result.refused.push({ reference: row.endToEndId, message: thrown.message });
    }
  }
  const { paid, returned, waiting, refused } = result;
  await db().transaction((tx) =>
    recordAudit(tx, actor, {
      action: 'payout_statement.read',
      details: `A bank statement was read: ${paid} payouts paid, ${returned} returned, ${waiting} returns waiting for approval, ${refused.length} rows refused.`,
      entityType: 'payout_statement',
      entityId: sha256,
      after: { sha256, bytes: file.byteLength },
    }),
  );
  return result;
}

/** Applies a row in a transaction of its own, or requests the approval that its return needs. */
async function applyOrRequest(actor: Actor, row: StatementRow, sha256: string): Promise<Outcome> {
  try {
    return await db().transaction((tx) => applyRow(tx, actor, row, sha256));
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    return 'waiting';
  }
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

/** @throws ApprovalRequired for a return that one person may not record */
async function applyRow(tx: Executor, actor: Actor, row: StatementRow, sha256: string): Promise<Outcome> {
  // Before the payout, which an approval locks after its request.
  if (row.isReturn) await rejectObsolete(tx, actor, getReturnSubject(row.endToEndId), 'The bank returned the payment');
  const [payout] = await tx.select().from(payouts).where(eq(payouts.id, row.endToEndId)).for('no key update');
  if (!payout) return 'skipped';
  requireNotOwn(actor, payout.sellerId, 'upload a statement with your own payout');
  requireSamePayment(payout, row);
  const source = `according to the bank statement with the SHA-256 ${sha256}`;
  if (row.isReturn) {
    if (!isReturnable(payout)) return 'known';
    const reason = row.reason ?? 'The bank returned the payment.';
    if (!(await isOfPayer(tx, payout, row)) || (await exceedsReturnLimit(tx, payout))) {
      throw new ApprovalRequired(await describeReturn(tx, payout, reason));
    }
    await returnPayout(tx, actor, payout, { reason, what: `was returned ${source}` });
    return 'returned';
  }
  if (payout.state === 'paid' || payout.state === 'returned') return 'known';
  if (payout.state === 'failed') {
    throw new AppError(
      'conflict',
      'The bank executed this payment, but the payout is marked as failed and its amount is in the balance of the seller again. Ask the seller or your bank to return the payment.',
    );
  }
  await movePayout(tx, actor, payout, { to: 'paid', what: `was paid ${source}`, change: { reference: payout.id } });
  return 'paid';
}

/** Checks whether a statement is of the account that paid the bank file of a payout. */
async function isOfPayer(tx: Executor, { batchId }: Payout, { account }: StatementRow): Promise<boolean> {
  const [batch] = await tx
    .select({ payer: payoutBatches.payer })
    .from(payoutBatches)
    .where(eq(payoutBatches.id, batchId ?? ''));
  const payer = bankDetails.parse(batch?.payer);
  return account === (payer.format === 'iban' ? payer.iban : payer.accountNumber);
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
