import { eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { paymentModes } from '@/db/schema/payment-configs';
import { type ProviderMode, topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { AnyActor } from '../../access/actor';
import { AppError } from '../../errors';
import { clearingOf, postTransfer, suspenseAccount, walletOf } from '../../ledger/post-transfer';
import { settleReceivable } from '../../ledger/receivables';
import { formatMoney } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { mayOwnerTopUpIn } from '../config/config';
import { refusalReason } from '../config/find-troubles';
import { providerNames } from '../providers/names';
import type { PaymentEvidence } from '../providers/provider';
import { findPayment } from './find-payment';
import { isOfAnother, mismatchOf } from './mismatch';

type Topup = typeof topups.$inferSelect;
type Paid = Extract<PaymentEvidence, { outcome: 'paid' }>;
type Unpaid = Exclude<PaymentEvidence, { outcome: 'paid' }>;

/**
 * Makes a top-up what the provider says it is; the webhook, the buyer's return and every later check come through
 * here, in any order and any number. Under the intent's row lock: a payment that agrees with the intent is credited
 * once, even after the intent failed or expired; one that does not, or that was paid in a mode that is no longer in
 * force, goes to the suspense account, and the intent to review. A payment of another checkout or mode leaves the intent
 * waiting for its own.
 * @param actor who brought the evidence, for the audit log
 * @returns the top-up as it now stands
 * @throws AppError not_found; conflict when the books hold the payment otherwise than the top-up says
 */
export async function settleTopup(actor: AnyActor, id: string, evidence: PaymentEvidence): Promise<Topup> {
  return db().transaction(async (tx) => {
    if (evidence.outcome === 'paid' && evidence.mode !== 'live') await lockMode(tx, id);
    const [topup] = await tx.select().from(topups).where(eq(topups.id, id)).for('no key update');
    if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
    // Evidence that names another intent is that one's: its money must not be touched from here.
    if (evidence.topupId !== null && evidence.topupId !== topup.id) return topup;
    // With no checkout known of it, evidence that names nobody is not its own either.
    if (evidence.topupId === null && topup.providerReference === null) return topup;
    if (evidence.outcome !== 'paid') return close(tx, actor, topup, evidence);
    if (topup.paymentReference === evidence.paymentReference) return topup;
    if (await isKeptApart(tx, topup, evidence)) return topup;
    const isCredited = await hasCredit(tx, topup);
    const mismatch = isCredited
      ? secondPayment(topup, evidence)
      : (mismatchOf(topup, evidence) ?? (await modeMismatch(tx, evidence.mode, topup)));
    if (mismatch !== null) return suspend(tx, actor, topup, evidence, { mismatch, isCredited });
    return credit(tx, actor, topup, evidence);
  });
}

async function credit(tx: Executor, actor: AnyActor, topup: Topup, evidence: Paid): Promise<Topup> {
  const isLate = topup.status !== 'created' && topup.status !== 'pending';
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, topup.userId));
  const name = providerNames[topup.provider];
  const settled = await change(tx, topup, {
    status: 'paid',
    providerReference: evidence.providerReference ?? topup.providerReference,
    paymentReference: evidence.paymentReference,
    reason: isLate ? `Paid although it was ${topup.status}.` : null,
    paidAt: new Date(),
  });
  await recordAudit(tx, actor, {
    action: 'topup.paid',
    details: `${formatMoney(topup.amountCents, topup.currency)} by ${name} credited to ${buyer?.email ?? topup.userId}${isLate ? `, although the top-up was ${topup.status}` : ''}.`,
    entityType: 'topup',
    entityId: topup.id,
    amountCents: topup.amountCents,
    before: { status: topup.status },
    after: { status: 'paid', paymentReference: evidence.paymentReference },
  });
  const { replayed } = await postTransfer(tx, {
    key: `${topup.provider}:${evidence.paymentReference}`,
    kind: 'topup',
    from: clearingOf(topup.provider),
    to: walletOf(topup.userId),
    amountCents: topup.amountCents,
    currency: topup.currency,
    actorId: actor.userId,
    method: name,
    note: `Wallet top-up by ${name}`,
    meta: metaOf(topup, evidence),
  });
  // Rolled back: the credit came another way than through here, and somebody has to look.
  if (replayed) throw bookedOtherwise(evidence);
  await settleReceivable(tx, topup.userId, {
    cause: `topup:${topup.id}`,
    actorId: actor.userId,
    meta: { topupId: topup.id, mode: evidence.mode },
  });
  return settled;
}

/** Was it booked before as money that does not match? A replay changes nothing. */
async function isKeptApart(tx: Executor, topup: Topup, evidence: Paid): Promise<boolean> {
  const booked = await findPayment(tx, topup.provider, evidence.paymentReference);
  if (booked === null) return false;
  if (booked.topupId !== topup.id || booked.place === 'wallet' || booked.isDeleted) throw bookedOtherwise(evidence);
  return true;
}

/** The books say it, not the status: a payment in review may be disputed without ever having been credited. */
async function hasCredit(tx: Executor, topup: Topup): Promise<boolean> {
  if (topup.paymentReference === null) return false;
  const booked = await findPayment(tx, topup.provider, topup.paymentReference);
  return booked !== null && (booked.place === 'wallet' || booked.isDeleted);
}

const bookedOtherwise = ({ paymentReference }: Paid) =>
  new AppError(
    'conflict',
    `The books already hold the payment ${paymentReference}, but not as a credit of this top-up.`,
  );

/** One intent is credited once, even if the provider was paid for it twice. */
const secondPayment = (topup: Topup, evidence: Paid) =>
  `Paid a second time: ${evidence.paymentReference} after ${topup.paymentReference}.`;

/**
 * Holds the provider's mode in force until the end of the transaction, so that a test payment is either credited before
 * the switch to live mode reverses all test credits, or sees live mode. Taken before the top-up's own lock, in the order
 * of `reverseTestCredits`.
 */
export async function lockMode(tx: Executor, topupId: string): Promise<void> {
  const provider = tx.select({ provider: topups.provider }).from(topups).where(eq(topups.id, topupId));
  await tx.select().from(paymentModes).where(inArray(paymentModes.provider, provider)).for('share');
}

/** A checkout that was opened in another mode can still be paid: with test cards after the provider went live. */
async function modeMismatch(tx: Executor, paidMode: ProviderMode, { provider, userId }: Topup): Promise<string | null> {
  const [inForce] = await tx.select().from(paymentModes).where(eq(paymentModes.provider, provider));
  if (!(await mayOwnerTopUpIn(tx, paidMode, userId))) {
    return `Paid in ${paidMode} mode by a user without the permission ManagePayments.`;
  }
  if (!inForce || inForce.mode === paidMode) return null;
  return `Paid in ${paidMode} mode while ${providerNames[provider]} is set to ${inForce.mode} mode.`;
}

/** Money that came, but not as intended: kept apart until a person decides. A wallet that was credited stays so. */
async function suspend(
  tx: Executor,
  actor: AnyActor,
  topup: Topup,
  evidence: Paid,
  { mismatch, isCredited }: { mismatch: string; isCredited: boolean },
): Promise<Topup> {
  const settled = isOfAnother(topup, evidence)
    ? topup
    : await change(tx, topup, {
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
      from: clearingOf(topup.provider),
      to: suspenseAccount,
      amountCents: evidence.amountMinor,
      currency: evidence.currency,
      actorId: actor.userId,
      method: providerNames[topup.provider],
      note: mismatch,
      meta: metaOf(topup, evidence),
    });
  }
  await recordAudit(tx, actor, {
    action: 'topup.review',
    details: `A payment does not match its top-up and was kept apart. ${mismatch}`,
    entityType: 'topup',
    entityId: topup.id,
    before: { status: topup.status },
    after: { status: settled.status, paymentReference: evidence.paymentReference },
  });
  return settled;
}

/**
 * No money: an open intent takes the outcome; anything decided, or about another checkout, stays as it is. A payer who
 * has to act comes back, or the provider notifies of the approval: the job asks again when the checkout is over.
 */
async function close(tx: Executor, actor: AnyActor, topup: Topup, evidence: Unpaid): Promise<Topup> {
  const isOpen = topup.status === 'created' || topup.status === 'pending';
  const { outcome, refusal } = evidence;
  const needsPayer = refusal?.kind === 'payer_action';
  const why = refusal ? refusalReason(topup.provider, refusal) : null;
  // What waits for its payer is no trouble of ours.
  const reason = needsPayer ? topup.reason : (why ?? topup.reason);
  const isNews = topup.status !== outcome || reason !== topup.reason || needsPayer;
  if (!isOpen || !isNews || isOfAnother(topup, evidence)) return topup;
  const settled = await change(tx, topup, {
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
  return settled;
}

async function change(tx: Executor, topup: Topup, changes: Partial<Topup>): Promise<Topup> {
  const isOpen = changes.status === undefined || changes.status === 'created' || changes.status === 'pending';
  const [changed] = await tx
    .update(topups)
    // What is decided needs no further asking.
    .set({ ...changes, ...(!isOpen && { nextCheckAt: null }) })
    .where(eq(topups.id, topup.id))
    .returning();
  if (!changed) throw new Error(`The top-up ${topup.id} is gone.`);
  return changed;
}

/** What ties a transfer to the payment; `mode` marks money that is not real. */
function metaOf(topup: Topup, evidence: Paid): Record<string, unknown> {
  const { providerReference, paymentReference } = evidence;
  return { topupId: topup.id, provider: topup.provider, mode: evidence.mode, providerReference, paymentReference };
}
