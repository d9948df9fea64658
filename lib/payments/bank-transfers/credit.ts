import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type BankLineReason, bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { users } from '@/db/schema/users';
import { type AccountContact, getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import {
  type Approval,
  ApprovalRequired,
  isOwnAccount,
  requestApproval,
  requireOthersAccount,
} from '@/lib/approvals/request';
import type { ApprovalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { settleReceivable } from '@/lib/ledger/receivables';
import { convertToUsdCents, formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { notifyOwner, recordTopupEvents } from '@/lib/payments/top-ups/notify-owner';
import { recordAudit } from '@/lib/platform/audit/record';
import { findReferenceRate } from '@/lib/settings/reference-rates';
import type { CreditLineInput } from './contract';
import { type BankLine, creditKeys, creditPostings } from './postings';

/** Names the change of a line that a second person approves. */
export const getLineSubject = (lineId: string): string => `bank-line:${lineId}`;

/** Locks a line, which serializes everything that is decided about it. @throws AppError not_found */
export async function lockLine(tx: Executor, lineId: string): Promise<BankLine> {
  const [line] = await tx.select().from(bankLines).where(eq(bankLines.id, lineId)).for('no key update');
  if (!line) throw new AppError('not_found', 'This line does not exist.');
  return line;
}

/** What a line is worth: the amount in USD cents, and the rate of its booking day. Null without a rate. */
async function valueLine(tx: Executor, { amountMinor, currency, bookedOn }: BankLine) {
  if (currency === walletCurrency) return { amountCents: amountMinor, rateMicros: null };
  const rate = await findReferenceRate(currency, bookedOn, tx);
  if (!rate) return null;
  return { amountCents: convertToUsdCents(amountMinor, rate.usdMicrosPerUnit), rateMicros: rate.usdMicrosPerUnit };
}

/**
 * Credits a line whose request is known, if everything is as asked. Otherwise the line keeps the money in suspense with
 * the reason. A line that was decided meanwhile is not changed.
 */
export async function matchLine(actor: Actor, lineId: string): Promise<void> {
  try {
    await db().transaction(async (tx) => {
      const line = await lockLine(tx, lineId);
      if (line.reason !== 'pending' || line.requestId === null) return;
      const [request] = await tx
        .select()
        .from(bankTransferRequests)
        .where(eq(bankTransferRequests.id, line.requestId))
        .for('no key update');
      if (!request) throw new Error(`The request of the bank line ${line.id} no longer exists.`);
      const keep = async (reason: BankLineReason) => void (await keepLine(tx, line.id, reason));
      const buyer = await getAccountContact(tx, request.accountId);
      if (buyer.isDeleted) return keep('account_closed');
      if (await isOwnAccount(tx, actor, buyer.id)) return keep('own_wallet');
      if (request.state === 'paid') return keep('paid_twice');
      if (line.currency !== request.currency) return keep('other_currency');
      if (line.amountMinor !== request.payMinor) return keep('amount_differs');
      const value = await valueLine(tx, line);
      if (!value || value.amountCents === 0) return keep('no_rate');
      const credit = { buyer, requestId: request.id, value, note: '', approval: null };
      await requireWithinLimit(tx, actor, line, credit);
      await creditLineIn(tx, actor, line, credit);
    });
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    // The transaction was rolled back, so another request may have decided about the line meanwhile.
    if (!(await keepLine(db(), lineId, 'needs_approval'))) return;
    await requestApproval(actor, thrown.request).catch((refused: unknown) => {
      // It cannot be approved now: the line waits in the list, where staff credit it later.
      if (!(refused instanceof AppError)) throw refused;
    });
  }
}

/** Notes why a line is not credited. @returns whether nothing was decided about it before */
async function keepLine(tx: Executor, lineId: string, reason: BankLineReason): Promise<boolean> {
  const isPending = and(eq(bankLines.id, lineId), eq(bankLines.reason, 'pending'));
  return (await tx.update(bankLines).set({ reason }).where(isPending).returning({ id: bankLines.id })).length > 0;
}

export type CreditedLine = { status: 'credited' | 'waiting'; amountCents: number };

/**
 * Credits what arrived with a line to a buyer: the one of its request, or the given one. A credit above the limit waits
 * for the approval of a second person.
 * @throws AppError not_found, forbidden for the actor's own wallet, conflict when the line was decided or cannot be
 * credited
 */
export async function creditLine(actor: Actor, lineId: string, input: CreditLineInput): Promise<CreditedLine> {
  try {
    return await db().transaction(async (tx) => {
      await rejectObsolete(tx, actor, getLineSubject(lineId), 'The transfer was credited');
      const line = await lockLine(tx, lineId);
      const { userId, requestId } = await findPayer(tx, line, input);
      await requireOthersAccount(tx, actor, userId, 'credit your own wallet');
      const buyer = await requireBuyer(tx, userId);
      const value = await requireValue(tx, line);
      const credit = { buyer, requestId, value, note: input.note, approval: null };
      await requireWithinLimit(tx, actor, line, credit);
      await creditLineIn(tx, actor, line, credit);
      return { status: 'credited' as const, amountCents: value.amountCents };
    });
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    return { status: 'waiting', amountCents: thrown.request.amountCents ?? 0 };
  }
}

/**
 * Credits a line in the transaction of its approval.
 * @throws AppError conflict when the line was decided, or its value changed
 */
export async function creditApprovedLine(
  tx: Executor,
  actor: Actor,
  { lineId, userId, requestId, amountCents, note }: ApprovalPayloads['bank_transfer'],
  { id, requestedBy }: Approval,
): Promise<void> {
  const line = await lockLine(tx, lineId);
  const buyer = await requireBuyer(tx, userId);
  const value = await requireValue(tx, line);
  if (value.amountCents !== amountCents) {
    throw new AppError('conflict', 'The value of this transfer changed since the request. Credit it again.');
  }
  await creditLineIn(tx, actor, line, { buyer, requestId, value, note, approval: { id, requestedBy } });
}

/**
 * Finds whose a line is: of the given request, account or user, otherwise of the request that its reference names.
 * @throws AppError invalid_input when nothing says it, not_found for an unknown reference
 */
export async function findPayer(tx: Executor, line: BankLine, { email, reference, ...input }: CreditLineInput) {
  const isNamed = and(eq(sql`lower(${users.email})`, email?.toLowerCase() ?? ''), isNull(users.deletedAt));
  const [named] = email === undefined ? [] : await tx.select({ id: users.id }).from(users).where(isNamed);
  if (email !== undefined && !named) throw new AppError('not_found', 'No user has this email address.');
  const userId = input.accountId ?? named?.id ?? input.userId;
  if (reference !== undefined) {
    const [request] = await tx
      .select({ id: bankTransferRequests.id, userId: bankTransferRequests.accountId })
      .from(bankTransferRequests)
      .where(eq(bankTransferRequests.reference, reference));
    if (!request) throw new AppError('not_found', 'No request has this reference.');
    return { userId: request.userId, requestId: request.id };
  }
  if (userId !== undefined && userId !== line.accountId) return { userId, requestId: null };
  if (line.accountId !== null) return { userId: line.accountId, requestId: line.requestId };
  const message = 'Choose the buyer: the transfer does not say whose it is.';
  throw new AppError('invalid_input', message, { fields: { userId: message } });
}

/** @throws AppError not_found for an unknown account, conflict for a deleted one */
async function requireBuyer(tx: Executor, accountId: string): Promise<AccountContact> {
  const buyer = await getAccountContact(tx, accountId);
  if (buyer.isDeleted) throw new AppError('conflict', 'This account was deleted. Send the money back.');
  return buyer;
}

/** @throws AppError conflict for a line that cannot be credited */
async function requireValue(tx: Executor, line: BankLine) {
  requireOpen(line);
  if (line.isReversal) throw new AppError('conflict', 'The bank took this amount back: there is nothing to credit.');
  const value = await valueLine(tx, line);
  if (value && value.amountCents > 0) return value;
  throw new AppError(
    'conflict',
    `There is no exchange rate of ${line.currency} on ${line.bookedOn}. Turn the rates of the European Central Bank on, or send the money back.`,
  );
}

/** @throws AppError conflict for a line that was decided */
export function requireOpen({ state }: BankLine): void {
  if (state === 'matched') throw new AppError('conflict', 'This transfer was credited before.');
  if (state === 'returned') throw new AppError('conflict', 'This transfer was closed before.');
}

/** @throws ApprovalRequired for a credit that one person may not make, since one person can upload any statement */
async function requireWithinLimit(
  tx: Executor,
  actor: Actor,
  line: BankLine,
  { buyer, requestId, value: { amountCents }, note }: Credit,
): Promise<void> {
  if (!(await exceedsApprovalLimit(tx, actor, 'bank_transfer', amountCents, buyer.id))) return;
  throw new ApprovalRequired({
    kind: 'bank_transfer',
    subject: getLineSubject(line.id),
    payload: { lineId: line.id, userId: buyer.id, requestId, amountCents, note },
    summary: `Credit ${describeCredit(line, amountCents)} to ${buyer.label}: a bank transfer of ${line.bookedOn}.${note && ` ${note}`}`,
    amountCents,
    beneficiaryId: buyer.id,
  });
}

/** Returns the credit in USD, with the amount that arrived in another currency. */
const describeCredit = ({ amountMinor, currency }: BankLine, amountCents: number): string =>
  currency === walletCurrency
    ? formatUsd(amountCents)
    : `${formatUsd(amountCents)} (${formatMoney(amountMinor, currency)})`;

type Credit = {
  buyer: AccountContact;
  /** The request that it pays; null if staff found the buyer without one. */
  requestId: string | null;
  value: { amountCents: number; rateMicros: number | null };
  /** Empty for the credit by an upload. */
  note: string;
  approval: { id: string; requestedBy: string } | null;
};

/** Credits a locked line in the caller's transaction. */
async function creditLineIn(tx: Executor, actor: Actor, line: BankLine, credit: Credit): Promise<void> {
  const { buyer, requestId, value, note, approval } = credit;
  const { amountCents, rateMicros } = value;
  const isByUpload = note === '' && approval === null;
  await tx
    .update(bankLines)
    .set({
      ...{ state: 'matched', reason: null, accountId: buyer.id, requestId, creditedCents: amountCents, rateMicros },
      credits: line.credits + 1,
      ...(!isByUpload && { resolvedBy: actor.userId, note, resolvedAt: new Date() }),
    })
    .where(eq(bankLines.id, line.id));
  if (requestId !== null)
    await tx.update(bankTransferRequests).set({ state: 'paid' }).where(eq(bankTransferRequests.id, requestId));
  await recordAudit(tx, actor, {
    action: 'bank_transfer.credited',
    details: `${describeCredit(line, amountCents)} by bank transfer credited to ${buyer.label}.${note && ` ${note}`}`,
    entityType: 'bank_line',
    entityId: line.id,
    amountCents,
    before: { state: line.state, reason: line.reason },
    after: { state: 'matched', ...(rateMicros !== null && { usdMicrosPerUnit: rateMicros }) },
  });
  const topup = { accountId: buyer.id, amountCents, currency: walletCurrency };
  await recordTopupEvents(tx, { ...topup, id: requestId ?? line.id, provider: 'bank' });
  await notifyOwner(tx, actor, 'topup.paid', topup);
  await postTransfers(
    tx,
    creditPostings(line, {
      ...{ userId: buyer.id, amountCents, rateMicros },
      actorId: approval?.requestedBy ?? actor.userId,
      approval: approval && { id: approval.id, approvedBy: actor.userId },
    }),
  );
  const cause = creditKeys({ ...line, credits: line.credits + 1 }).credit;
  await settleReceivable(tx, buyer.id, { cause, actorId: actor.userId });
}
