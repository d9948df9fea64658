import { createHash } from 'node:crypto';
import { db } from '@/db/client';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { type Approval, ApprovalRequired, findApproval, requestApproval } from '@/lib/approvals/request';
import type { ApprovalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireFlag } from '@/lib/settings/feature-flags';
import { findByKey, findRequested, insertRefund, lockTopup } from './insert';
import { auditRefund, changeRefund, changeRefundIn } from './move';
import { refundSubject, type SourceRefund } from './postings';
import { findRefundable, requireRefundable } from './refundable';
import type { RequestRefundInput } from './schemas';
import { sendRefund } from './send';
import { startRefund } from './start';

/** A refund that was started, or the request for its approval by a second person. */
export type StartedRefund = { refundId: string; approvalId: null } | { refundId: string | null; approvalId: string };

/**
 * Refunds wallet money to the card or account that paid a top-up: takes it from the wallet, and then calls the provider.
 * An error of the provider is stored with the refund, and the job repeats the call. An amount above the limit of one
 * person waits for a second person.
 * @param key a repeat with the same Idempotency-Key and request starts nothing and returns the first refund
 * @throws AppError not_configured while these refunds are turned off, not_found, forbidden for the actor's own wallet,
 * conflict with the reason when nothing can be refunded or a request of the buyer waits, invalid_input for an amount
 * that is not there
 */
export async function createRefund(
  actor: Actor,
  input: RequestRefundInput,
  key: string | null = null,
): Promise<StartedRefund> {
  const { topupId, amountCents, reason } = input;
  const known = await findByKey(db(), actor.userId, key, input);
  if (known) return { refundId: known.id, approvalId: null };
  const subject = `source_refund:${key === null ? newId() : hashKey(actor.userId, key)}`;
  const approved = key === null ? undefined : await findApproval(db(), subject);
  if (approved?.state === 'rejected') {
    throw new AppError('conflict', 'This refund was already requested and was not approved.');
  }
  return startAndSend(actor, null, () =>
    db().transaction(async (tx) => {
      await requireFlag('refunds-to-source', tx);
      const topup = await lockTopup(tx, topupId);
      const repeated = await findByKey(tx, actor.userId, key, input);
      if (repeated) return { started: repeated, isRepeated: true };
      const refund = await insertByStaff(tx, actor, { topupId, amountCents, reason, key, requestedBy: actor.userId });
      const payload = { refundId: null, key };
      return { started: await startRefund(tx, actor, { topup, refund }, { subject, payload }), isRepeated: false };
    }),
  );
}

/**
 * Approves a request of a buyer, and refunds it as `createRefund` does.
 * @throws AppError not_found, forbidden for the actor's own request, conflict for another state, a stale `version`, or
 * with the reason when nothing can be refunded, invalid_input for an amount that is not there anymore
 */
export const approveRefund = (actor: Actor, id: string, version?: number): Promise<StartedRefund> =>
  startAndSend(actor, id, () =>
    changeRefund(id, async (tx, refund, topup) => {
      requireVersion(refund, version, 'This refund');
      requireRequested(refund);
      const payload = { refundId: refund.id, key: null };
      const subject = refundSubject(refund.id);
      return { started: await startRefund(tx, actor, { topup, refund }, { subject, payload }), isRepeated: false };
    }),
  );

/**
 * Starts a refund in the transaction of its approval by a second person. The job calls the provider after the commit.
 * @throws AppError conflict when the request was withdrawn or declined meanwhile, or nothing can be refunded anymore
 */
export async function startApprovedRefund(
  tx: Transaction,
  actor: Actor,
  { refundId, topupId, amountCents, reason, key }: ApprovalPayloads['source_refund'],
  approval: Approval,
): Promise<void> {
  const options = { subject: approval.subject, payload: { refundId, key }, approval };
  if (refundId !== null) {
    await changeRefundIn(tx, refundId, async (locked, refund, topup) => {
      requireRequested(refund);
      return startRefund(locked, actor, { topup, refund }, options);
    });
    return;
  }
  const topup = await lockTopup(tx, topupId);
  const intent = { topupId, amountCents, reason, key, requestedBy: approval.requestedBy };
  await startRefund(tx, actor, { topup, refund: await insertByStaff(tx, actor, intent) }, options);
}

async function startAndSend(
  actor: Actor,
  refundId: string | null,
  start: () => Promise<{ started: SourceRefund; isRepeated: boolean }>,
): Promise<StartedRefund> {
  let result: Awaited<ReturnType<typeof start>>;
  try {
    result = await start();
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    const { id: approvalId } = await requestApproval(actor, thrown.request);
    return { refundId, approvalId };
  }
  // The call that started the refund also sends it.
  if (!result.isRepeated) await sendRefund(result.started);
  return { refundId: result.started.id, approvalId: null };
}

type StaffIntent = { topupId: string; amountCents: number; reason: string; key: string | null; requestedBy: string };

/** Inserts a refund that staff create. The request of a buyer has precedence, so that it is not refunded twice. */
async function insertByStaff(tx: Transaction, actor: Actor, intent: StaffIntent): Promise<SourceRefund> {
  const topup = await lockTopup(tx, intent.topupId);
  if (await findRequested(tx, topup.id)) {
    throw new AppError(
      'conflict',
      'The buyer requested a refund of this top-up. Approve or decline that request first.',
    );
  }
  const refundable = requireRefundable(await findRefundable(tx, topup), intent.amountCents, topup.currency);
  const { paymentReference } = refundable;
  const refund = await insertRefund(tx, { ...intent, topup, paymentReference });
  await auditRefund(tx, actor, refund, {
    what: 'was created by staff',
    after: { topupId: topup.id, reason: refund.reason, requestedBy: intent.requestedBy },
  });
  return refund;
}

function requireRequested({ state }: SourceRefund): void {
  if (state === 'requested') return;
  throw new AppError('conflict', `This refund is ${state} and does not wait for an approval.`);
}

/** Includes the user, so that two persons may use the same key. */
const hashKey = (userId: string, key: string) => createHash('sha256').update(`${userId}\n${key}`).digest('hex');
