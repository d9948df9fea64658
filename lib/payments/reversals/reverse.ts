import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { paymentModes } from '@/db/schema/payment-configs';
import { paymentReversals, type TopupStatus, topups } from '@/db/schema/topups';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import { notifyOwner } from '@/lib/payments/top-ups/notify-owner';
import { type BookedPayment, findPayment, lockTopup } from '@/lib/payments/top-ups/queries';
import { lockActiveMode } from '@/lib/payments/top-ups/settle';
import { recordAudit } from '@/lib/platform/audit/record';
import { notifyDispute } from './disputes';
import { isTestCreditReference, postReinstatement, postWithdrawal, testCreditReference } from './reversal-postings';
import { computeReversalShare, countsAgainstCredit, filterTaken, reallocateExcess, sumTaken } from './reversal-share';
import { listPaymentRefunds, sumHeld } from './source-refunds/refundable';
import { findOwnRefund, settleSourceRefund } from './source-refunds/settle';

type Topup = typeof topups.$inferSelect;
type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Books a refund or dispute of a provider. Events may arrive in any order and repeatedly. Under the top-up's row lock:
 * money that the provider withdrew is debited from the wallet, up to its balance, and the rest becomes a receivable
 * (docs/internals/ledger.md); money that it returns is credited. A refund that failed, or a dispute that was won,
 * before its withdrawal was booked moves no money.
 * @throws AppError not_found; conflict while the payment itself is not booked, so that the event is retried
 */
export async function reverseTopup(actor: AnyActor, topupId: string, evidence: ReversalEvidence): Promise<void> {
  await db().transaction((tx) => reverseTopupInTransaction(tx, actor, topupId, evidence));
}

/**
 * Runs `reverseTopup` in the caller's transaction. Money of a test payment that is returned after the provider went live
 * does not stay in the wallet.
 * @returns whether anything changed
 */
export async function reverseTopupInTransaction(
  tx: Executor,
  actor: AnyActor,
  topupId: string,
  evidence: ReversalEvidence,
): Promise<boolean> {
  if (evidence.mode !== 'live') await lockActiveMode(tx, topupId);
  const topup = await lockTopup(tx, topupId);
  const payment = await findPayment(tx, topup.provider, evidence.paymentReference);
  if (payment?.topupId !== topup.id) {
    throw new AppError('conflict', `The payment ${evidence.paymentReference} is not in the ledger yet.`);
  }
  const { paymentReference } = evidence;
  const ofTopup = await tx.select().from(paymentReversals).where(eq(paymentReversals.topupId, topup.id));
  const ofPayment = ofTopup.filter((one) => one.paymentReference === paymentReference);
  // Compares the reference only, so that an object reported with another kind is not booked twice.
  const isSame = (one: Reversal) => one.reference === evidence.reference;
  const known = ofTopup.find(isSame);
  const own = await findOwnRefund(tx, actor, topup, evidence);
  const next = { ...mergeProgress(known, evidence), ...mergeDisputeDetails(known, evidence) };
  if (known && isUnchanged(known, next)) {
    return own ? settleSourceRefund(tx, actor, own, { reversal: known, evidence }) : false;
  }

  const isTaking = next.money === 'taken' && known?.money !== 'taken';
  const isReturning = next.money === 'returned' && known?.money === 'taken';
  const isHeld = own?.money === 'held';
  // What our own refunds will take is reserved, and a refund takes exactly what it reserved.
  const held = sumHeld(
    (await listPaymentRefunds(tx, topup.id, paymentReference, 'held')).filter(({ id }) => id !== own?.id),
  );
  const share = isTaking
    ? isHeld
      ? { amountCents: own.amountCents, excessMinor: 0 }
      : computeShare(topup, payment, ofPayment, evidence, held)
    : { amountCents: known?.amountCents ?? 0, excessMinor: known?.excessMinor ?? 0 };
  const reversal = await saveReversal(tx, topup, evidence, known, { ...next, ...share });
  const others = ofPayment.filter((one) => !isSame(one));
  // A second payment in suspense did not settle the top-up and does not affect its status.
  if (topup.paymentReference === paymentReference) {
    await updateTopup(tx, topup, payment, { before: ofPayment, after: [...others, reversal] });
  }
  await auditReversal(tx, actor, topup, reversal);
  if (!known && evidence.dispute && reversal.outcome === null) await notifyDispute(tx, topup, reversal);
  if (isTaking) await postWithdrawal(tx, actor, { topup, payment, reversal, isHeld });
  if (isReturning) await postReinstatement(tx, actor, { topup, payment, reversal });
  const isRemovedAgain = isReturning && payment.place === 'wallet' && (await isModeOver(tx, topup));
  // Our own refunds announce their result. Test money that leaves the wallet was not returned to a payment method.
  const isNews = isTaking ? !isTestCreditReference(reversal.reference) : isReturning && !isRemovedAgain;
  if (isNews && !own && payment.place === 'wallet' && reversal.amountCents > 0) {
    const eventType = reversal.kind === 'refund' ? 'topup.refunded' : 'topup.disputed';
    const { amountCents } = reversal;
    await notifyOwner(tx, actor, isTaking ? eventType : 'topup.reinstated', { ...topup, amountCents });
  }
  if (own) await settleSourceRefund(tx, actor, own, { reversal, evidence });
  if (isReturning || (isHeld && next.money === 'returned')) {
    await reallocateExcess(tx, actor, { topup, payment, returned: reversal, others, held });
  }
  if (isRemovedAgain) await reverseTestCredit(tx, actor, topup, paymentReference);
  return true;
}

/** Checks whether the provider went live after a test payment, which removed the test credits from the wallets. */
async function isModeOver(tx: Executor, { provider, mode }: Topup): Promise<boolean> {
  const [active] = await tx.select().from(paymentModes).where(eq(paymentModes.provider, provider));
  return mode !== 'live' && active?.mode === 'live';
}

/**
 * Removes what a wallet still has of the credit of a test payment. It is booked as a refund of the rest of the payment.
 * @returns the reference of the refund; null when nothing is left
 */
export async function reverseTestCredit(
  tx: Executor,
  actor: AnyActor,
  topup: Topup,
  paymentReference: string,
): Promise<string | null> {
  const ofTopup = await tx.select().from(paymentReversals).where(eq(paymentReversals.topupId, topup.id));
  const ofPayment = ofTopup.filter((one) => one.paymentReference === paymentReference);
  const { amountMinor, excessMinor } = sumTaken(filterTaken(topup, ofPayment));
  const leftMinor = topup.chargeAmountMinor - (amountMinor - excessMinor);
  if (leftMinor <= 0) return null;
  const reference = testCreditReference(topup.id, ofTopup);
  await reverseTopupInTransaction(tx, actor, topup.id, {
    about: 'reversal',
    kind: 'refund',
    ...{ reference, paymentReference, topupId: topup.id, mode: topup.mode },
    ...{ amountMinor: leftMinor, currency: topup.chargeCurrency },
    money: 'taken',
    outcome: null,
  });
  return reference;
}

type Progress = Pick<Reversal, 'money' | 'outcome' | 'reason' | 'evidenceDueBy'>;

const isUnchanged = (known: Reversal, next: Progress): boolean =>
  known.money === next.money &&
  known.outcome === next.outcome &&
  known.reason === next.reason &&
  known.evidenceDueBy?.getTime() === next.evidenceDueBy?.getTime();

/** Keeps the stored details when the evidence has none. */
const mergeDisputeDetails = (known: Reversal | undefined, { dispute }: ReversalEvidence) => ({
  reason: dispute ? dispute.reason : (known?.reason ?? null),
  evidenceDueBy: dispute ? dispute.evidenceDueBy : (known?.evidenceDueBy ?? null),
});

/**
 * Merges the evidence with the stored state. The state of the money only advances, in any order of events; a dispute
 * whose money was returned is won.
 */
function mergeProgress(known: Reversal | undefined, evidence: ReversalEvidence): Pick<Reversal, 'money' | 'outcome'> {
  const order = ['kept', 'taken', 'returned'] as const;
  const before = known?.money ?? 'kept';
  const money = order.indexOf(evidence.money) > order.indexOf(before) ? evidence.money : before;
  if ((known?.kind ?? evidence.kind) === 'refund') return { money, outcome: null };
  return { money, outcome: money === 'returned' ? 'won' : (known?.outcome ?? evidence.outcome) };
}

/** Computes the share of a reversal. A payment in another currency, or one that never matched, is excess as a whole. */
function computeShare(
  topup: Topup,
  payment: BookedPayment,
  ofPayment: readonly Reversal[],
  evidence: ReversalEvidence,
  held: ReturnType<typeof sumHeld>,
) {
  if (!countsAgainstCredit(topup, payment, evidence)) return { amountCents: 0, excessMinor: evidence.amountMinor };
  const reversed = sumTaken(filterTaken(topup, ofPayment));
  const used = {
    amountMinor: reversed.amountMinor + held.amountMinor,
    amountCents: reversed.amountCents + held.amountCents,
  };
  return computeReversalShare(topup, used, evidence.amountMinor);
}

async function saveReversal(
  tx: Executor,
  topup: Topup,
  evidence: ReversalEvidence,
  known: Reversal | undefined,
  progressed: Progress & Pick<Reversal, 'amountCents' | 'excessMinor'>,
): Promise<Reversal> {
  const { kind, reference, paymentReference, mode, amountMinor, currency } = evidence;
  // The amount reported before the withdrawal may differ; the withdrawn amount counts.
  const isTaking = progressed.money === 'taken' && known?.money !== 'taken';
  const changes = {
    ...progressed,
    ...(isTaking && { amountMinor, currency }),
    happenedAt: evidence.happenedAt ?? known?.happenedAt ?? null,
  };
  const { id: topupId, provider } = topup;
  const added = { topupId, provider, mode, kind, paymentReference, reference, amountMinor, currency };
  const [stored] = known
    ? await tx.update(paymentReversals).set(changes).where(eq(paymentReversals.id, known.id)).returning()
    : await tx
        .insert(paymentReversals)
        .values({ id: newId(), ...added, ...changes })
        .returning();
  if (!stored) throw new Error(`The ${kind} ${reference} could not be stored.`);
  return stored;
}

async function updateTopup(
  tx: Executor,
  topup: Topup,
  payment: BookedPayment,
  reversals: { before: readonly Reversal[]; after: readonly Reversal[] },
): Promise<void> {
  const settled = payment.place === 'wallet' || payment.isDeleted ? 'paid' : 'review';
  const { status, reason } = reversalStatus(topup, settled, reversals.after);
  // Keeps a reason with another cause, but not the reason of a refund that was returned.
  const isOfReversals = topup.reason === reversalStatus(topup, settled, reversals.before).reason;
  const previousReason = status === topup.status && !isOfReversals ? topup.reason : null;
  await tx
    .update(topups)
    .set({ status, reason: reason ?? previousReason })
    .where(eq(topups.id, topup.id));
}

async function auditReversal(tx: Executor, actor: AnyActor, topup: Topup, reversal: Reversal): Promise<void> {
  const money = formatMoney(reversal.amountMinor, reversal.currency);
  const verb = {
    refund: {
      kept: 'is being refunded',
      taken: 'was refunded',
      returned: 'was not refunded, because the refund failed',
    },
    dispute: { kept: 'is disputed', taken: 'was withdrawn for a dispute', returned: 'was returned from a dispute' },
  }[reversal.kind][reversal.money];
  const due = reversal.evidenceDueBy ? `; evidence is due by ${reversal.evidenceDueBy.toISOString()}` : '';
  const ending = reversal.outcome ? `; the dispute is ${reversal.outcome}` : due;
  await recordAudit(tx, actor, {
    action: `topup.${reversal.kind === 'refund' ? 'refunded' : 'disputed'}`,
    details: `${money} of a top-up ${verb} at ${providerNames[topup.provider]} (${reversal.reference})${ending}.`,
    entityType: 'topup',
    entityId: topup.id,
    amountCents: reversal.amountCents,
    after: { reference: reversal.reference, money: reversal.money, outcome: reversal.outcome },
  });
}

/**
 * Derives the status of a paid top-up from its refunds and disputes. A dispute counts until it is won and its money is
 * returned.
 * @param settled the status without reversals: `paid`, or `review` for a payment that did not match
 * @returns the status and the reason for display
 */
function reversalStatus(
  topup: Topup,
  settled: 'paid' | 'review',
  reversals: readonly Reversal[],
): { status: TopupStatus; reason: string | null } {
  const name = providerNames[topup.provider];
  const charged = formatMoney(topup.chargeAmountMinor, topup.chargeCurrency);
  const isOver = ({ money, outcome }: Reversal) => money === 'returned' || (money === 'kept' && outcome === 'won');
  const dispute = reversals.find((one) => one.kind === 'dispute' && !isOver(one));
  if (dispute) {
    const money = formatMoney(dispute.amountMinor, dispute.currency);
    const ending = dispute.outcome === 'lost' ? 'and lost' : dispute.outcome === 'won' ? 'and won' : 'and still open';
    return { status: 'disputed', reason: `${money} of ${charged} disputed at ${name} ${ending}.` };
  }
  const refundedMinor = reversals
    .filter(({ kind, money }) => kind === 'refund' && money === 'taken')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (refundedMinor === 0) return { status: settled, reason: null };
  const reason = `${formatMoney(refundedMinor, topup.chargeCurrency)} of ${charged} refunded by ${name}.`;
  return { status: refundedMinor >= topup.chargeAmountMinor ? 'refunded' : settled, reason };
}
