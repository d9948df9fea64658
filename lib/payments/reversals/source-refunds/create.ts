import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import type { Transaction } from '@/db/transaction';
import { getAccountContact } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { exceedsRefundLimit, isRefundOfOwnCredit } from '@/lib/approvals/limit';
import {
  type Approval,
  ApprovalRequired,
  findApproval,
  requestApproval,
  requireOthersAccount,
} from '@/lib/approvals/request';
import type { ApprovalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { postTransfer } from '@/lib/ledger/post-transfer';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { Topup } from '@/lib/payments/top-ups/queries';
import { lockTopup } from '@/lib/payments/top-ups/queries';
import { secondsFromNow } from '@/lib/platform/leases';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireFlag } from '@/lib/settings/feature-flags';
import type { RequestRefundInput } from './contract';
import { heldPosting, refundSubject, type SourceRefund } from './postings';
import { computeChargeMinor, findRefundable, requireRefundable } from './refundable';
import { findByKey, findRequested, insertRefund } from './request';
import { sendRefund } from './send';
import { auditRefund, changeRefund, changeRefundIn, moveRefund } from './transition';

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
export async function createRefund(actor: Actor, input: RequestRefundInput, key: string | null = null) {
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

/** The time that the caller has for the first call to the provider, before the job makes it. */
const firstCallSeconds = 60;

/**
 * Starts a requested refund: takes its amount from the wallet in the caller's transaction, which commits before the
 * provider is called. Call it last. Holds the top-up's row lock.
 * @param subject the subject of the request for approval, if a second person is needed
 * @param approval set when a second person approved it
 * @throws ApprovalRequired above the limit of one person, and for a wallet that the actor alone credited manually
 * @throws AppError forbidden for the actor's own wallet, conflict with the reason when nothing can be refunded,
 * invalid_input for an amount that is not there
 */
async function startRefund(
  tx: Executor,
  actor: Actor,
  { topup, refund }: { topup: Topup; refund: SourceRefund },
  options: { subject: string; payload: { refundId: string | null; key: string | null }; approval?: Approval },
): Promise<SourceRefund> {
  await requireOthersAccount(tx, actor, refund.accountId, 'refund your own wallet');
  const { amountCents, currency } = refund;
  const refundable = requireRefundable(await findRefundable(tx, topup), amountCents, currency);
  const chargeMinor = computeChargeMinor(topup, refundable, amountCents);
  const { approval } = options;
  const needsSecond = async () =>
    (await exceedsRefundLimit(tx, actor, amountCents, refund.accountId)) ||
    (await isRefundOfOwnCredit(tx, actor, refund.accountId));
  if (!approval && (await needsSecond())) {
    throw new ApprovalRequired({
      kind: 'source_refund',
      subject: options.subject,
      payload: { ...options.payload, topupId: topup.id, amountCents, reason: refund.reason },
      summary: await describeRefund(tx, refund),
      amountCents,
      beneficiaryId: refund.accountId,
    });
  }
  const started = await moveRefund(tx, actor, refund, {
    to: 'processing',
    what: 'was approved',
    change: {
      money: 'held',
      chargeMinor,
      approvedBy: approval?.requestedBy ?? actor.userId,
      secondApprovedBy: approval ? actor.userId : null,
      attempts: approval ? 0 : 1,
    },
  });
  await tx
    .update(sourceRefunds)
    .set({ nextActionAt: secondsFromNow(approval ? 0 : firstCallSeconds) })
    .where(eq(sourceRefunds.id, refund.id));
  await postTransfer(tx, heldPosting(started, actor.userId)).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError) || thrown.code !== 'insufficient_funds') throw thrown;
    // An order or another refund took the money at the same time.
    throw new AppError('conflict', 'The wallet no longer holds this amount. Reload the page.');
  });
  return started;
}

async function describeRefund(tx: Executor, { accountId, amountCents, currency, provider, reason }: SourceRefund) {
  const { label } = await getAccountContact(tx, accountId);
  const money = formatMoney(amountCents, currency);
  return `Refund ${money} of ${label} to the payment method by ${providerNames[provider]}${reason ? `: ${reason}` : ''}.`;
}
