import type Stripe from 'stripe';
import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import type { ReversalEvidence } from './provider';
import { understood } from './understood';

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
  charge: reference,
});
const disputeSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().min(1),
  status: z.string(),
  charge: reference,
});

/** No charge has more refunds than this. */
const mostRefunds = 1_000;

/**
 * What an event about a refund or dispute says. Refunds are booked one by one by their ids: the charge's amount_refunded
 * is a sum that goes up and, when a refund fails, down again, so that no order of events could be made out from it.
 * The charge is asked for the payment and the top-up, which refunds and disputes do not name.
 */
export function stripeReversals(stripe: Stripe, mode: ProviderMode) {
  async function paymentOf(chargeId: string) {
    const charge = understood('Stripe', chargeSchema, await stripe.charges.retrieve(chargeId));
    return { paymentReference: charge.payment_intent ?? charge.id, topupId: charge.metadata?.topup_id ?? null };
  }

  async function ofRefunds(refunds: z.output<typeof refundSchema>[], chargeId: string): Promise<ReversalEvidence[]> {
    const payment = await paymentOf(chargeId);
    return refunds.map((refund) => ({
      ...payment,
      about: 'reversal',
      kind: 'refund',
      reference: refund.id,
      mode,
      amountMinor: refund.amount,
      currency: refund.currency.toUpperCase(),
      money: refund.status === 'failed' || refund.status === 'canceled' ? 'returned' : 'taken',
      outcome: null,
    }));
  }

  async function ofDispute(type: string, json: unknown): Promise<ReversalEvidence> {
    const dispute = understood('Stripe', disputeSchema, json);
    return {
      ...(await paymentOf(dispute.charge)),
      about: 'reversal',
      kind: 'dispute',
      reference: dispute.id,
      mode,
      amountMinor: dispute.amount,
      currency: dispute.currency.toUpperCase(),
      money: disputeMoney(type, dispute.status),
      outcome: disputeOutcome(dispute.status),
    };
  }

  return async (type: string, object: unknown): Promise<ReversalEvidence[]> => {
    if (type === 'refund.failed') {
      const refund = understood('Stripe', refundSchema, object);
      return ofRefunds([{ ...refund, status: 'failed' }], refund.charge);
    }
    if (type === 'charge.refunded') {
      const { id } = understood('Stripe', chargeSchema, object);
      const listed = await stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: mostRefunds });
      return ofRefunds(understood('Stripe', z.array(refundSchema), listed), id);
    }
    return type.startsWith('charge.dispute.') ? [await ofDispute(type, object)] : [];
  };
}

/** A lost dispute has taken the money; a won one says nothing by itself, its money comes back with `funds_reinstated`. */
function disputeMoney(type: string, status: string): ReversalEvidence['money'] {
  if (type === 'charge.dispute.funds_reinstated') return 'returned';
  if (type === 'charge.dispute.funds_withdrawn' || status === 'lost') return 'taken';
  return 'kept';
}

/** A closed warning and a prevented dispute end well as a won one does. */
function disputeOutcome(status: string): ReversalEvidence['outcome'] {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : null;
}
