import type Stripe from 'stripe';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { parseProviderPayload } from '../parse-provider-payload';
import { type EventSubject, ProviderError, type ReversalEvidence } from '../provider';

/** An expandable field: the id, or the object itself. */
const reference = z.union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)]);

const chargeSchema = z.object({
  id: z.string().min(1),
  payment_intent: reference.nullable(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
const refundSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().min(1),
  status: z.string().nullable(),
  charge: reference.nullable(),
});
const disputeSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().min(1),
  status: z.string(),
  charge: reference,
  balance_transactions: z.array(z.object({ amount: z.number().int() })),
  reason: z.string().nullish(),
  /** Unix seconds; 0 where the bank takes no evidence. */
  evidence_details: z.object({ due_by: z.number().int().nullish() }).nullish(),
});
type Refund = z.output<typeof refundSchema>;
type Dispute = z.output<typeof disputeSchema>;

/** No charge has more refunds than this. */
const mostRefunds = 1_000;

/** A refund with one of these states has not left the account, or returned to it. */
const undone = new Set(['failed', 'canceled']);

/**
 * What Stripe answers about a refund, the refunds of a charge, or a dispute. Refunds are booked one by one by their ids:
 * the charge's amount_refunded is a sum that rises and, when a refund fails, falls again. The charge says which payment
 * and top-up it belongs to, which refunds and disputes do not name.
 */
export function stripeReversals(stripe: Stripe, mode: ProviderMode) {
  async function paymentOf(chargeId: string) {
    const charge = parseProviderPayload('Stripe', chargeSchema, await stripe.charges.retrieve(chargeId));
    return { paymentReference: charge.payment_intent ?? charge.id, topupId: charge.metadata?.topup_id ?? null };
  }

  async function ofRefunds(refunds: readonly Refund[], chargeId: string): Promise<ReversalEvidence[]> {
    const payment = await paymentOf(chargeId);
    return refunds.map((refund) => ({
      ...payment,
      about: 'reversal',
      kind: 'refund',
      reference: refund.id,
      mode,
      amountMinor: refund.amount,
      currency: refund.currency.toUpperCase(),
      money: refund.status !== null && undone.has(refund.status) ? 'returned' : 'taken',
      outcome: null,
    }));
  }

  async function ofDispute(dispute: Dispute): Promise<ReversalEvidence> {
    const dueBy = dispute.evidence_details?.due_by;
    return {
      ...(await paymentOf(dispute.charge)),
      about: 'reversal',
      kind: 'dispute',
      reference: dispute.id,
      mode,
      amountMinor: dispute.amount,
      currency: dispute.currency.toUpperCase(),
      money: disputeMoney(dispute),
      outcome: disputeOutcome(dispute.status),
      dispute: { reason: dispute.reason ?? null, evidenceDueBy: dueBy ? new Date(dueBy * 1_000) : null },
    };
  }

  return async ({ object, id }: EventSubject): Promise<ReversalEvidence[]> => {
    if (object === 'refund') {
      const refund = parseProviderPayload('Stripe', refundSchema, await stripe.refunds.retrieve(id));
      return refund.charge === null ? [] : ofRefunds([refund], refund.charge);
    }
    if (object === 'refunds') {
      const listed = await stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: mostRefunds });
      return ofRefunds(parseProviderPayload('Stripe', z.array(refundSchema), listed), id);
    }
    if (object === 'dispute') {
      return [await ofDispute(parseProviderPayload('Stripe', disputeSchema, await stripe.disputes.retrieve(id)))];
    }
    throw new ProviderError(`Stripe has no ${object} to ask about`);
  };
}

/**
 * Where a dispute's money is: `balance_transactions` holds a negative one once Stripe withdrew it and a positive one once
 * it was reinstated. An inquiry has none.
 */
function disputeMoney({ status, balance_transactions: moves }: Dispute): ReversalEvidence['money'] {
  if (moves.some(({ amount }) => amount > 0)) return 'returned';
  return status === 'lost' || moves.some(({ amount }) => amount < 0) ? 'taken' : 'kept';
}

/** A closed inquiry and a prevented dispute end as a won one does. */
function disputeOutcome(status: string): ReversalEvidence['outcome'] {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : null;
}
