import { and, asc, desc, eq, inArray, lte, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { bankLines } from '@/db/schema/bank-transfers';
import { transfers } from '@/db/schema/ledger';
import { getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { postTransfers, suspenseAccount } from '@/lib/ledger/post-transfer';
import { reclaimFromWallet } from '@/lib/ledger/receivables';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { notifyOwner } from '@/lib/payments/top-ups/notify-owner';
import { recordAudit } from '@/lib/platform/audit/record';
import type { CreditLineInput } from './contract';
import { findPayer, getLineSubject, lockLine, requireOpen } from './credit';
import { arrivalKey, type BankLine, bankTransferMethod, returnPosting, takenKey } from './postings';
import { reasonTexts } from './reasons';
import { reopenLine } from './resolve';

/**
 * Books that the bank took a transfer back: closes the line that says so and the line of the transfer. What was credited
 * leaves the buyer's wallet; what the wallet no longer holds, its owner owes (docs/internals/ledger.md). The request can
 * be paid again.
 * @throws AppError not_found, invalid_input when nothing says whose transfer it was, forbidden for one of the actor,
 * conflict when the line was decided or the buyer has no such transfer
 */
export async function takeBackLine(actor: Actor, lineId: string, input: CreditLineInput): Promise<void> {
  await db().transaction(async (tx) => {
    const reversal = await lockLine(tx, lineId);
    requireOpen(reversal);
    if (!reversal.isReversal) throw new AppError('conflict', 'The bank did not take this transfer back.');
    const found = await findReversed(tx, reversal, await findPayer(tx, reversal, input));
    // Before the line, which an approval locks after its request.
    await rejectObsolete(tx, actor, getLineSubject(found), 'The bank took the transfer back');
    const line = await lockLine(tx, found);
    // Another request decided about it while this one waited for the lock.
    if (line.state === 'returned') throw notFound(reversal);
    if (line.accountId !== null) await requireOthersAccount(tx, actor, line.accountId, 'close your own transfer');
    const exchanges = line.state === 'matched' ? await reopenLine(tx, actor, line.id) : [];
    await tx
      .update(bankLines)
      .set({
        ...{ state: 'returned', reason: 'taken_back', accountId: line.accountId, requestId: line.requestId },
        ...{ resolvedBy: actor.userId, note: input.note, resolvedAt: new Date() },
      })
      .where(inArray(bankLines.id, [reversal.id, line.id]));
    await recordAudit(tx, actor, {
      action: 'bank_transfer.taken_back',
      details: `The bank took the transfer of ${formatMoney(line.amountMinor, line.currency)} on ${line.bookedOn} back. ${input.note}`,
      entityType: 'bank_line',
      entityId: line.id,
      before: { state: line.state, reason: line.reason },
      after: { state: 'returned', reason: 'taken_back', reversal: reversal.id },
    });
    const [arrival] = await tx
      .select()
      .from(transfers)
      .where(eq(transfers.key, arrivalKey(line)));
    if (!arrival) throw new Error(`The ledger has no arrival of the bank line ${line.id}.`);
    if (line.accountId !== null && line.creditedCents !== null) {
      const credited = { accountId: line.accountId, amountCents: line.creditedCents, currency: walletCurrency };
      await notifyOwner(tx, actor, 'topup.disputed', credited);
    }
    await postTransfers(tx, [...exchanges, returnPosting(line, arrival.id, actor.userId, reasonTexts.taken_back)]);
    await reclaimCredit(tx, actor, line);
  });
}

/**
 * Finds the transfer that a reversal takes back. Of several with its amount, one that was not credited comes first: the
 * others pay for the credits.
 * @throws AppError conflict
 */
async function findReversed(
  tx: Executor,
  reversal: BankLine,
  { userId, requestId }: { userId: string; requestId: string | null },
): Promise<string> {
  const { account, currency, amountMinor, bookedOn } = reversal;
  const [line] = await tx
    .select({ id: bankLines.id })
    .from(bankLines)
    .where(
      and(
        eq(bankLines.isReversal, false),
        ne(bankLines.state, 'returned'),
        requestId === null ? eq(bankLines.accountId, userId) : eq(bankLines.requestId, requestId),
        ...[eq(bankLines.account, account), eq(bankLines.currency, currency), eq(bankLines.amountMinor, amountMinor)],
        lte(bankLines.bookedOn, bookedOn),
      ),
    )
    .orderBy(asc(sql`${bankLines.state} = 'matched'`), desc(bankLines.bookedOn), desc(bankLines.id))
    .limit(1);
  if (!line) throw notFound(reversal);
  return line.id;
}

const notFound = ({ amountMinor, currency }: BankLine) =>
  new AppError(
    'conflict',
    `This buyer has no transfer of ${formatMoney(amountMinor, currency)} that the bank could take back. Check the buyer, or close the line.`,
  );

/** Takes a credit from the wallet of its buyer. What the wallet does not hold becomes a receivable. */
async function reclaimCredit(tx: Executor, actor: Actor, line: BankLine): Promise<void> {
  const { accountId: userId, creditedCents } = line;
  if (userId === null || creditedCents === null) return;
  const { label } = await getAccountContact(tx, userId);
  const { fromWalletCents, owedCents } = await reclaimFromWallet(tx, {
    ...{ key: takenKey(line), kind: 'bank_reversal', userId, to: suspenseAccount },
    ...{ amountCents: creditedCents, currency: walletCurrency, actorId: actor.userId, method: bankTransferMethod },
    note: `Taken back by the bank: a transfer of ${formatMoney(line.amountMinor, line.currency)} on ${line.bookedOn}`,
    meta: { bankLine: line.id },
  });
  await recordAudit(tx, actor, {
    action: owedCents > 0 ? 'wallet.owes' : 'wallet.reclaimed',
    details: `${formatUsd(fromWalletCents)} left the wallet of ${label}.${owedCents > 0 ? ` It held no more: its owner owes ${formatUsd(owedCents)}.` : ''}`,
    entityType: 'wallet',
    entityId: userId,
    amountCents: creditedCents,
  });
}
