import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { transfers } from '@/db/schema/ledger';
import { getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import { ApprovalRequired, findApproval, requestApproval, requireOthersAccount } from '@/lib/approvals/request';
import type { ApprovalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { formatUsd, walletCurrency } from '@/lib/money';
import { notifyAccount } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import type { ManualTopupInput } from './admin-schemas';

export type ManualTopup = {
  /** The id of the transfer, or of the pending approval request. */
  transferId: string;
  /** Pending: credited only after a second person approves it. */
  status: 'Completed' | 'Pending';
  /** The account of the wallet. */
  userId: string;
  amountCents: number;
  balanceCents: number;
};

/** The credit; `approval` is set when a second person approved it. */
type Credit = ApprovalPayloads['manual_topup'] & { approval?: { id: string; requestedBy: string } };

/**
 * Credits a wallet manually from the adjustments account, so that the ledger separates manual credits from payments. A
 * credit above the limit (`exceedsApprovalLimit`) requires the approval of a second person.
 * @param idempotencyKey a repeated request with the same key credits nothing and returns the first result
 * @throws AppError not_found for an unknown or deleted account, forbidden for the actor's own wallet or that of a team of the actor, conflict when the
 * key was used for another top-up or its request was rejected
 */
export async function createManualTopup(
  actor: Actor,
  { userId, amountCents, note }: ManualTopupInput,
  idempotencyKey: string | null = null,
): Promise<ManualTopup> {
  const account = await getAccountContact(db(), userId);
  if (account.isDeleted) throw new AppError('not_found', 'This account was deleted.');
  await requireOthersAccount(db(), actor, account.id, 'credit your own wallet');
  const key = `manual:${idempotencyKey === null ? newId() : hashKey(actor.userId, idempotencyKey)}`;
  const credit: Credit = { userId: account.id, amountCents, note: note || 'Manual top-up', key };
  try {
    return await db().transaction(async (tx) => {
      const [known] = await tx.select({ id: transfers.id }).from(transfers).where(eq(transfers.key, key));
      if (!known && (await exceedsApprovalLimit(tx, actor, 'manual_topup', amountCents, account.id))) {
        throw new ApprovalRequired({
          kind: 'manual_topup',
          subject: key,
          payload: credit,
          summary: `Credit ${formatUsd(amountCents)} to ${account.label}: ${credit.note}.`,
          amountCents,
          beneficiaryId: account.id,
        });
      }
      return creditWallet(tx, actor, credit);
    });
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    const earlier = await findApproval(db(), key);
    if (earlier?.state === 'rejected') {
      throw new AppError('conflict', 'This top-up was already requested and was not approved.');
    }
    const { id: transferId } = await requestApproval(actor, thrown.request);
    const balanceCents = await getWalletBalance(account.id);
    return { transferId, status: 'Pending', userId: account.id, amountCents, balanceCents };
  }
}

/**
 * Posts the credit in the caller's transaction. Used by `createManualTopup` and by the approval of a request.
 * @throws AppError conflict when the key was used for another top-up
 */
export async function creditWallet(
  tx: Executor,
  actor: Actor,
  { userId, amountCents, note, key, approval }: Credit,
): Promise<ManualTopup> {
  const account = await getAccountContact(tx, userId);
  if (account.isDeleted) throw new AppError('not_found', 'This account was deleted.');
  const posted = await postTransfer(tx, {
    key,
    kind: 'manual_topup',
    from: adjustmentsAccount,
    to: walletAccount(userId),
    amountCents,
    currency: walletCurrency,
    actorId: approval?.requestedBy ?? actor.userId,
    method: 'Manual',
    note,
    ...(approval && { meta: { approvalId: approval.id, approvedBy: actor.userId } }),
  });
  const balanceCents = posted.toBalanceCents ?? 0;
  const response = { transferId: posted.transferId, status: 'Completed' as const, userId, amountCents, balanceCents };
  if (posted.replayed) {
    const [first] = await tx.select().from(transfers).where(eq(transfers.id, posted.transferId));
    if (first?.note === note) return response;
    throw new AppError('conflict', 'This Idempotency-Key was already used for another top-up.');
  }
  await recordAudit(tx, actor, {
    action: 'wallet.topped_up',
    details: `${formatUsd(amountCents)} credited manually to ${account.label}: ${note}.`,
    entityType: 'wallet',
    entityId: userId,
    amountCents,
    after: { transactionId: posted.transferId, balanceCents },
  });
  const subject = formatUsd(amountCents);
  await notifyAccount(tx, actor, { accountId: userId, right: 'account:balance', kind: 'wallet.credited', subject });
  return response;
}

/** Includes the user, so that two admins may use the same key. */
const hashKey = (userId: string, key: string) => createHash('sha256').update(`${userId}\n${key}`).digest('hex');
