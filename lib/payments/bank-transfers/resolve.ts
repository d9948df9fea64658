import { and, eq, inArray, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { transfers } from '@/db/schema/ledger';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { postTransfer, type Transfer } from '@/lib/ledger/post-transfer';
import { formatMoney } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { getLineSubject, lockLine, requireOpen } from './credit';
import { arrivalKey, creditKeys, exchangeReturns, returnPosting } from './postings';
import { reasonTexts } from './reasons';

type Closing = { outcome: 'sent_back' | 'not_a_topup'; note: string };

/**
 * Closes a line without a credit: it was sent back to the payer, or is no payment of a buyer, such as interest or the
 * payout of a payment provider. Moves no money at the bank.
 * @throws AppError not_found, forbidden for a transfer of the actor, conflict when the line was decided
 */
export async function returnLine(actor: Actor, lineId: string, { outcome, note }: Closing): Promise<void> {
  await db().transaction(async (tx) => {
    await rejectObsolete(tx, actor, getLineSubject(lineId), 'The transfer was closed without a credit');
    const line = await lockLine(tx, lineId);
    requireOpen(line);
    if (line.accountId !== null) await requireOthersAccount(tx, actor, line.accountId, 'close your own transfer');
    await tx
      .update(bankLines)
      .set({ state: 'returned', reason: outcome, resolvedBy: actor.userId, note, resolvedAt: new Date() })
      .where(eq(bankLines.id, line.id));
    await recordAudit(tx, actor, {
      action: 'bank_transfer.closed',
      details: `A bank transfer of ${formatMoney(line.amountMinor, line.currency)} on ${line.bookedOn} was closed. ${reasonTexts[outcome]} ${note}`,
      entityType: 'bank_line',
      entityId: line.id,
      before: { state: line.state, reason: line.reason },
      after: { state: 'returned', reason: outcome },
    });
    if (line.isReversal) return;
    const arrival = await requireTransfer(tx, arrivalKey(line));
    await postTransfer(tx, returnPosting(line, arrival.id, actor.userId, reasonTexts[outcome]));
  });
}

/**
 * Returns a line to the list because its credit is undone, in the caller's transaction. The request can be paid again.
 * @returns the transfers that undo its exchange, to be posted after the reversal of the credit
 */
export async function reopenLine(tx: Executor, actor: Actor, lineId: string): Promise<Transfer[]> {
  const line = await lockLine(tx, lineId);
  if (line.reason === 'taken_back')
    throw new AppError('conflict', 'The bank took this transfer back, and its credit left the wallet with it.');
  // Another request deleted the credit while this one waited for the lock.
  if (line.state !== 'matched') throw new AppError('not_found', 'This transaction does not exist or was deleted.');
  const { bought, sold } = creditKeys(line);
  const exchanges = await tx
    .select()
    .from(transfers)
    .where(inArray(transfers.key, [bought, sold]));
  await tx
    .update(bankLines)
    .set({
      state: line.accountId === null ? 'unmatched' : 'partial',
      reason: 'credit_deleted',
      creditedCents: null,
      rateMicros: null,
    })
    .where(eq(bankLines.id, line.id));
  // Another line may have paid the request as well.
  const isUnpaid = sql`not exists (select from ${bankLines} where ${bankLines.requestId} = ${bankTransferRequests.id}
    and ${bankLines.state} = 'matched')`;
  if (line.requestId !== null) {
    await tx
      .update(bankTransferRequests)
      .set({ state: 'open' })
      .where(and(eq(bankTransferRequests.id, line.requestId), isUnpaid));
  }
  return exchangeReturns(line, exchanges, actor.userId);
}

async function requireTransfer(tx: Executor, key: string) {
  const [found] = await tx.select().from(transfers).where(eq(transfers.key, key));
  if (!found) throw new Error(`The ledger has no transfer ${key}.`);
  return found;
}
