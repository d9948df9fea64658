import { eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { paymentModes } from '@/db/schema/payment-configs';
import { type ProviderMode, topups } from '@/db/schema/topups';
import { getAccountContact } from '@/lib/access/accounts';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { clearingAccount, postTransfer, suspenseAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { settleReceivable } from '@/lib/ledger/receivables';
import { formatMoney } from '@/lib/money';
import { canOwnerTopUpIn } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import type { PaymentEvidence } from '@/lib/payments/providers/provider';
import { recordAudit } from '@/lib/platform/audit/record';
import { notifyOwner, recordTopupEvents } from './notify-owner';
import { findMismatch, isOtherPayment, refusalReason } from './payment-issues';
import { findPayment, lockTopup } from './queries';

type Topup = typeof topups.$inferSelect;
type Paid = Extract<PaymentEvidence, { outcome: 'paid' }>;
type Unpaid = Exclude<PaymentEvidence, { outcome: 'paid' }>;

/**
 * Applies a provider's evidence to a top-up. The webhook, the buyer's return and every later check call it, in any
 * order and repeatedly. Under the top-up's row lock: a matching payment is credited once, even after the top-up failed
 * or expired. A payment that does not match, or that was paid in a mode that is no longer active, is posted to the
 * suspense account, and the top-up's status becomes `review`. A payment of another checkout or mode leaves the top-up
 * waiting for its own.
 * @param actor the source of the evidence, for the audit log
 * @returns the updated top-up
 * @throws AppError not_found; conflict when the ledger has the payment but not as a credit of this top-up
 */
export async function settleTopup(actor: AnyActor, id: string, evidence: PaymentEvidence): Promise<Topup> {
  return db().transaction(async (tx) => {
    const isTest = evidence.outcome === 'paid' && evidence.mode !== 'live';
    const lockedMode = isTest ? await lockActiveMode(tx, id) : undefined;
    const topup = await lockTopup(tx, id);
    // Evidence that names another top-up must not affect this one.
    if (evidence.topupId !== null && evidence.topupId !== topup.id) return topup;
    // Without a known checkout, evidence that names no top-up does not belong to this one.
    if (evidence.topupId === null && topup.providerReference === null) return topup;
    if (evidence.outcome !== 'paid') return closeTopup(tx, actor, topup, evidence);
    if (topup.paymentReference === evidence.paymentReference) return topup;
    if (await isSuspended(tx, topup, evidence)) return topup;
    const isCredited = await hasCredit(tx, topup);
    const mismatch = isCredited
      ? // A top-up is credited once, even if the buyer paid it twice.
        `Paid a second time: ${evidence.paymentReference} after ${topup.paymentReference}.`
      : (findMismatch(topup, evidence) ?? (await findModeMismatch(tx, evidence.mode, topup, lockedMode)));
    if (mismatch !== null) return postToSuspense(tx, actor, topup, evidence, { mismatch, isCredited });
    return postCredit(tx, actor, topup, evidence);
  });
}

async function postCredit(tx: Executor, actor: AnyActor, topup: Topup, evidence: Paid): Promise<Topup> {
  const isLate = topup.status !== 'created' && topup.status !== 'pending';
  const buyer = await getAccountContact(tx, topup.accountId);
  const name = providerNames[topup.provider];
  const settled = await updateTopup(tx, topup, {
    status: 'paid',
    providerReference: evidence.providerReference ?? topup.providerReference,
    paymentReference: evidence.paymentReference,
    reason: isLate ? `Paid although it was ${topup.status}.` : null,
    paidAt: new Date(),
  });
  await recordAudit(tx, actor, {
    action: 'topup.paid',
    details: `${formatMoney(topup.amountCents, topup.currency)} by ${name} credited to ${buyer.label}${isLate ? `, although the top-up was ${topup.status}` : ''}.`,
    entityType: 'topup',
    entityId: topup.id,
    amountCents: topup.amountCents,
    before: { status: topup.status },
    after: { status: 'paid', paymentReference: evidence.paymentReference },
  });
  await recordTopupEvents(tx, topup);
  await notifyOwner(tx, actor, 'topup.paid', topup);
  const { replayed } = await postTransfer(tx, {
    key: `${topup.provider}:${evidence.paymentReference}`,
    kind: 'topup',
    from: clearingAccount(topup.provider),
    to: walletAccount(topup.accountId),
    amountCents: topup.amountCents,
    currency: topup.currency,
    actorId: actor.userId,
    method: name,
    note: `Wallet top-up by ${name}`,
    meta: createMeta(topup, evidence),
  });
  // Rolls back: the credit was posted by other code, which staff must investigate.
  if (replayed) throw createBookedError(evidence);
  await settleReceivable(tx, topup.accountId, {
    cause: `topup:${topup.id}`,
    actorId: actor.userId,
    meta: { topupId: topup.id, mode: evidence.mode },
  });
  return settled;
}

/** Checks whether the payment was posted to suspense before; a replay changes nothing. */
async function isSuspended(tx: Executor, topup: Topup, evidence: Paid): Promise<boolean> {
  const booked = await findPayment(tx, topup.provider, evidence.paymentReference);
  if (booked === null) return false;
  if (booked.topupId !== topup.id || booked.place === 'wallet' || booked.isDeleted) throw createBookedError(evidence);
  return true;
}

/** Reads the ledger, not the status: a payment in review may be disputed without ever having been credited. */
async function hasCredit(tx: Executor, topup: Topup): Promise<boolean> {
  if (topup.paymentReference === null) return false;
  const booked = await findPayment(tx, topup.provider, topup.paymentReference);
  return booked !== null && (booked.place === 'wallet' || booked.isDeleted);
}

const createBookedError = ({ paymentReference }: Paid) =>
  new AppError(
    'conflict',
    `The books already hold the payment ${paymentReference}, but not as a credit of this top-up.`,
  );

/**
 * Locks the provider's active mode until the end of the transaction. A test payment is either credited before the
 * switch to live mode reverses all test credits, or sees live mode. Taken before the top-up's row lock, in the order of
 * `reverseTestCredits`.
 * @returns the mode; undefined for a provider without an active mode
 */
export async function lockActiveMode(tx: Executor, topupId: string): Promise<ProviderMode | undefined> {
  const provider = tx.select({ provider: topups.provider }).from(topups).where(eq(topups.id, topupId));
  const [active] = await tx.select().from(paymentModes).where(inArray(paymentModes.provider, provider)).for('share');
  return active?.mode;
}

/** Finds a difference of modes: a checkout of another mode can still be paid, e.g. after the provider went live. */
async function findModeMismatch(
  tx: Executor,
  paidMode: ProviderMode,
  { provider, accountId: userId }: Topup,
  lockedMode: ProviderMode | undefined,
): Promise<string | null> {
  if (!(await canOwnerTopUpIn(tx, paidMode, userId))) {
    return `Paid in ${paidMode} mode by a user without the permission ManagePayments.`;
  }
  const [active] = await tx.select().from(paymentModes).where(eq(paymentModes.provider, provider));
  const activeMode = lockedMode ?? active?.mode;
  if (!activeMode || activeMode === paidMode) return null;
  return `Paid in ${paidMode} mode while ${providerNames[provider]} is set to ${activeMode} mode.`;
}

/** Posts a payment that does not match to suspense until an admin decides. An existing credit is kept. */
async function postToSuspense(
  tx: Executor,
  actor: AnyActor,
  topup: Topup,
  evidence: Paid,
  { mismatch, isCredited }: { mismatch: string; isCredited: boolean },
): Promise<Topup> {
  const settled = isOtherPayment(topup, evidence)
    ? topup
    : await updateTopup(tx, topup, {
        reason: mismatch,
        ...(!isCredited && {
          status: 'review',
          providerReference: evidence.providerReference ?? topup.providerReference,
          paymentReference: evidence.paymentReference,
        }),
      });
  if (evidence.amountMinor > 0) {
    await postTransfer(tx, {
      key: `${topup.provider}:${evidence.paymentReference}`,
      kind: 'suspense',
      from: clearingAccount(topup.provider),
      to: suspenseAccount,
      amountCents: evidence.amountMinor,
      currency: evidence.currency,
      actorId: actor.userId,
      method: providerNames[topup.provider],
      note: mismatch,
      meta: createMeta(topup, evidence),
    });
  }
  await recordAudit(tx, actor, {
    action: 'topup.review',
    details: `A payment does not match its top-up and was held as unmatched. ${mismatch}`,
    entityType: 'topup',
    entityId: topup.id,
    before: { status: topup.status },
    after: { status: settled.status, paymentReference: evidence.paymentReference },
  });
  if (settled.status === 'review' && topup.status !== 'review') await notifyOwner(tx, actor, 'topup.review', topup);
  return settled;
}

/**
 * Applies an outcome without a payment to an open top-up; a decided one, or evidence of another checkout, changes
 * nothing. When the payer has to act, the payer returns or the provider sends an event, so the next check is at the
 * checkout's expiry.
 */
async function closeTopup(tx: Executor, actor: AnyActor, topup: Topup, evidence: Unpaid): Promise<Topup> {
  const isOpen = topup.status === 'created' || topup.status === 'pending';
  const { outcome, refusal } = evidence;
  const needsPayer = refusal?.kind === 'payer_action';
  const why = refusal ? refusalReason(topup.provider, refusal) : null;
  // Waiting for the payer is not an issue for staff.
  const reason = needsPayer ? topup.reason : (why ?? topup.reason);
  const isChange = topup.status !== outcome || reason !== topup.reason || needsPayer;
  if (!isOpen || !isChange || isOtherPayment(topup, evidence)) return topup;
  const settled = await updateTopup(tx, topup, {
    status: outcome,
    reason,
    providerReference: evidence.providerReference ?? topup.providerReference,
    ...(needsPayer && { nextCheckAt: topup.expiresAt }),
  });
  if (outcome === 'pending' && why === null) return settled;
  const money = formatMoney(topup.amountCents, topup.currency);
  await recordAudit(tx, actor, {
    action: outcome === 'pending' ? 'topup.refused' : `topup.${outcome}`,
    details:
      `Top-up of ${money} by ${providerNames[topup.provider]}: ${outcome}, nothing was charged. ${why ?? ''}`.trim(),
    entityType: 'topup',
    entityId: topup.id,
    before: { status: topup.status },
    after: { status: outcome, ...(refusal && { refusal: refusal.code, debugId: refusal.debugId }) },
  });
  // The owner knows of a canceled checkout, and of one that was left.
  if (outcome === 'failed') await notifyOwner(tx, actor, 'topup.failed', topup);
  return settled;
}

async function updateTopup(tx: Executor, topup: Topup, changes: Partial<Topup>): Promise<Topup> {
  const isOpen = changes.status === undefined || changes.status === 'created' || changes.status === 'pending';
  const [changed] = await tx
    .update(topups)
    // A decided top-up needs no further checks.
    .set({ ...changes, ...(!isOpen && { nextCheckAt: null }) })
    .where(eq(topups.id, topup.id))
    .returning();
  if (!changed) throw new Error(`The top-up ${topup.id} no longer exists.`);
  return changed;
}

/** Returns the metadata that links a transfer to the payment; `mode` marks test money. */
function createMeta(topup: Topup, evidence: Paid): Record<string, unknown> {
  const { providerReference, paymentReference } = evidence;
  return { topupId: topup.id, provider: topup.provider, mode: evidence.mode, providerReference, paymentReference };
}
