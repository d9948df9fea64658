import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { paymentReversals, type TopupStatus, topups } from '@/db/schema/topups';
import type { AnyActor } from '../../access/actor';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { formatMoney } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
import type { ReversalEvidence } from '../providers/provider';
import { type BookedPayment, findPayment } from '../top-ups/find-payment';
import { notifyDispute } from './disputes';
import { giveBackReversal, takeReversal } from './reversal-postings';
import { countsAgainstCredit, reallocateExcess, reversalShare, sumTaken, takenOf } from './reversal-share';

type Topup = typeof topups.$inferSelect;
type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Makes the books follow a refund or dispute at the provider, in any order of notifications and any number. Under the
 * top-up's row lock: what the provider took leaves the wallet as far as it goes, the rest is owed (docs/ledger.md);
 * what it gives back returns. A refund that failed, or a dispute that was won, before we heard of its money moves none.
 * @throws AppError not_found; conflict while the payment itself is not in the books, so that it is tried again
 */
export async function reverseTopup(actor: AnyActor, topupId: string, evidence: ReversalEvidence): Promise<void> {
  await db().transaction((tx) => reverseTopupIn(tx, actor, topupId, evidence));
}

/** The same in a transaction of the caller's. @returns whether the books did not say so before */
export async function reverseTopupIn(
  tx: Executor,
  actor: AnyActor,
  topupId: string,
  evidence: ReversalEvidence,
): Promise<boolean> {
  const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  const payment = await findPayment(tx, topup.provider, evidence.paymentReference);
  if (payment?.topupId !== topup.id) {
    throw new AppError('conflict', `The payment ${evidence.paymentReference} is not in the books yet.`);
  }
  const { paymentReference } = evidence;
  const ofTopup = await tx.select().from(paymentReversals).where(eq(paymentReversals.topupId, topup.id));
  const ofPayment = ofTopup.filter((one) => one.paymentReference === paymentReference);
  // By its name alone: an object that an event presents as another kind than before takes no second amount.
  const isSame = (one: Reversal) => one.reference === evidence.reference;
  const known = ofTopup.find(isSame);
  const next = { ...progress(known, evidence), ...disputeDetails(known, evidence) };
  if (known && isUnchanged(known, next)) return false;

  const isTaking = next.money === 'taken' && known?.money !== 'taken';
  const isReturning = next.money === 'returned' && known?.money === 'taken';
  const share = isTaking
    ? shareOf(topup, payment, ofPayment, evidence)
    : { amountCents: known?.amountCents ?? 0, excessMinor: known?.excessMinor ?? 0 };
  const reversal = await store(tx, topup, evidence, known, { ...next, ...share });
  const others = ofPayment.filter((one) => !isSame(one));
  // A second payment that stands apart is not what the top-up was settled by: it says nothing about its state.
  if (topup.paymentReference === paymentReference) {
    await updateTopup(tx, topup, payment, { before: ofPayment, after: [...others, reversal] });
  }
  await tell(tx, actor, topup, reversal);
  if (!known && evidence.dispute && reversal.outcome === null) await notifyDispute(tx, topup, reversal);
  if (isTaking) await takeReversal(tx, actor, { topup, payment, reversal });
  if (isReturning) {
    await giveBackReversal(tx, actor, { topup, payment, reversal });
    await reallocateExcess(tx, actor, { topup, payment, returned: reversal, others });
  }
  return true;
}

type Progress = Pick<Reversal, 'money' | 'outcome' | 'reason' | 'evidenceDueBy'>;

const isUnchanged = (known: Reversal, next: Progress): boolean =>
  known.money === next.money &&
  known.outcome === next.outcome &&
  known.reason === next.reason &&
  known.evidenceDueBy?.getTime() === next.evidenceDueBy?.getTime();

/** Evidence that is about the money alone leaves them as they are. */
const disputeDetails = (known: Reversal | undefined, { dispute }: ReversalEvidence) => ({
  reason: dispute ? dispute.reason : (known?.reason ?? null),
  evidenceDueBy: dispute ? dispute.evidenceDueBy : (known?.evidenceDueBy ?? null),
});

/** Money moves forward only, whatever the order of the notifications; money that is back has won its dispute. */
function progress(known: Reversal | undefined, evidence: ReversalEvidence): Pick<Reversal, 'money' | 'outcome'> {
  const order = ['kept', 'taken', 'returned'] as const;
  const before = known?.money ?? 'kept';
  const money = order.indexOf(evidence.money) > order.indexOf(before) ? evidence.money : before;
  if ((known?.kind ?? evidence.kind) === 'refund') return { money, outcome: null };
  return { money, outcome: money === 'returned' ? 'won' : (known?.outcome ?? evidence.outcome) };
}

/** A payment in another currency, or one that never matched, took nothing from the wallet: all of it is excess. */
function shareOf(topup: Topup, payment: BookedPayment, ofPayment: readonly Reversal[], evidence: ReversalEvidence) {
  if (!countsAgainstCredit(topup, payment, evidence)) return { amountCents: 0, excessMinor: evidence.amountMinor };
  return reversalShare(topup, sumTaken(takenOf(topup, ofPayment)), evidence.amountMinor);
}

async function store(
  tx: Executor,
  topup: Topup,
  evidence: ReversalEvidence,
  known: Reversal | undefined,
  progressed: Progress & Pick<Reversal, 'amountCents' | 'excessMinor'>,
): Promise<Reversal> {
  const { kind, reference, paymentReference, mode, amountMinor, currency } = evidence;
  // Told of before its money moved, the amount may have been another: what is taken is what counts.
  const isTaking = progressed.money === 'taken' && known?.money !== 'taken';
  const changes = {
    ...progressed,
    ...(isTaking && { amountMinor, currency }),
    happenedAt: evidence.happenedAt ?? known?.happenedAt ?? null,
  };
  const [stored] = known
    ? await tx.update(paymentReversals).set(changes).where(eq(paymentReversals.id, known.id)).returning()
    : await tx
        .insert(paymentReversals)
        .values({
          ...changes,
          id: newId(),
          topupId: topup.id,
          provider: topup.provider,
          mode,
          kind,
          paymentReference,
          reference,
          amountMinor,
          currency,
        })
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
  // A reason that another cause gave stays; that of a refund which came back does not.
  const isOfReversals = topup.reason === reversalStatus(topup, settled, reversals.before).reason;
  const kept = status === topup.status && !isOfReversals ? topup.reason : null;
  await tx
    .update(topups)
    .set({ status, reason: reason ?? kept })
    .where(eq(topups.id, topup.id));
}

async function tell(tx: Executor, actor: AnyActor, topup: Topup, reversal: Reversal): Promise<void> {
  const money = formatMoney(reversal.amountMinor, reversal.currency);
  const verb = {
    refund: { kept: 'is being refunded', taken: 'was refunded', returned: 'was not refunded after all' },
    dispute: { kept: 'is disputed', taken: 'was withdrawn for a dispute', returned: 'came back from a dispute' },
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

type ReversalState = Pick<
  typeof paymentReversals.$inferSelect,
  'kind' | 'money' | 'outcome' | 'amountMinor' | 'currency'
>;
type ChargedTopup = Pick<typeof topups.$inferSelect, 'chargeAmountMinor' | 'chargeCurrency' | 'provider'>;

/**
 * Where a paid top-up stands, by its refunds and disputes. A dispute counts until it is won and its money is back.
 * @param settled what it is without them: paid, or review for a payment that did not match
 * @returns the status and the reason a person reads
 */
function reversalStatus(
  topup: ChargedTopup,
  settled: 'paid' | 'review',
  reversals: readonly ReversalState[],
): { status: TopupStatus; reason: string | null } {
  const name = providerNames[topup.provider];
  const charged = formatMoney(topup.chargeAmountMinor, topup.chargeCurrency);
  const isOver = ({ money, outcome }: ReversalState) => money === 'returned' || (money === 'kept' && outcome === 'won');
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
