import type Stripe from 'stripe';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { stripeEventObjects, stripeEventTypes } from '@/lib/payments/providers/event-types';
import {
  type EventLog,
  type EventSubject,
  ProviderError,
  type ProviderEvent,
  type RefundRequest,
  type ReversalEvidence,
} from '@/lib/payments/providers/provider';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  data: z.object({ object: z.unknown() }),
});

/** The fields of an event's object that identify it. Sessions have `mode`; refunds and disputes have `charge`. */
const objectSchema = z.object({
  id: z.string().min(1),
  mode: z.string().nullish(),
  charge: z.unknown().optional(),
});

const objectByType = new Map<string, EventSubject['object']>(Object.entries(stripeEventObjects));

/**
 * Parses a verified event.
 * @param mode the mode whose secret verified it
 * @throws ProviderError when the payload is not an event
 */
export function parseStripeEvent(json: unknown, mode: ProviderMode): ProviderEvent {
  const { id: eventId, type, data } = parseProviderPayload('Stripe', eventSchema, json);
  return { eventId, type, mode, payload: json, subjects: () => parseSubjects(type, data.object) };
}

function parseSubjects(type: string, json: unknown): EventSubject[] {
  const object = objectByType.get(type);
  if (object === undefined) return [];
  const { id, mode, charge } = parseProviderPayload('Stripe', objectSchema, json);
  // A session of another application on the same account that saves a card or starts a subscription.
  if (object === 'checkout' && (mode ?? 'payment') !== 'payment') return [];
  // A refund without a charge, e.g. of a payment record, does not belong to a payment made here.
  if ((object === 'refund' || object === 'dispute') && charge === null) return [];
  return [{ object, id }];
}

const pageSize = 100;

/**
 * Opens Stripe's list of events, newest first. It has the ids of the webhook events and goes back 30 days.
 * @param callStripe converts SDK errors to ProviderError
 * @see https://docs.stripe.com/api/events/list
 */
export function stripeEventLog(
  stripe: Stripe,
  read: (payload: unknown) => ProviderEvent,
  callStripe: <T>(call: () => Promise<T>) => Promise<T>,
): EventLog {
  return {
    retentionDays: 30,
    overlapMs: 60 * 60 * 1000,
    completeUntil: (now) => now,
    async *list(from, until) {
      const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) };
      let last: string | undefined;
      do {
        const page = await callStripe(() =>
          stripe.events.list({
            created,
            types: [...stripeEventTypes],
            limit: pageSize,
            ...(last !== undefined && { starting_after: last }),
          }),
        );
        yield page.data.map((event) => ({ ...read(event), topupId: null }));
        last = page.has_more ? page.data.at(-1)?.id : undefined;
      } while (last !== undefined);
    },
  };
}

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
  metadata: z.record(z.string(), z.string()).nullish(),
});
const disputeSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().min(1),
  status: z.string(),
  charge: reference,
  balance_transactions: z.array(z.object({ amount: z.number().int() })),
  reason: z.string().nullish(),
  /** Unix seconds; 0 when the bank accepts no evidence. */
  evidence_details: z.object({ due_by: z.number().int().nullish() }).nullish(),
});
type Refund = z.output<typeof refundSchema>;
type Dispute = z.output<typeof disputeSchema>;

/** Maximum number of refunds of a charge. */
const maxRefunds = 1_000;

/** Statuses of a refund whose money did not leave the account or returned to it. */
const returnedStatuses = new Set(['failed', 'canceled']);
/** Statuses of a refund whose money left the account and that may still fail. */
const pendingStatuses = new Set(['pending', 'requires_action']);

/**
 * Retrieves refunds and disputes, and makes refunds. Refunds are booked one by one by id, because the charge's
 * amount_refunded is a sum that also falls when a refund fails. The payment and the top-up are read from the charge,
 * because refunds and disputes do not name them.
 */
export function stripeReversals(stripe: Stripe, mode: ProviderMode) {
  async function getPayment(chargeId: string) {
    const charge = parseProviderPayload('Stripe', chargeSchema, await stripe.charges.retrieve(chargeId));
    return { paymentReference: charge.payment_intent ?? charge.id, topupId: charge.metadata?.topup_id ?? null };
  }

  async function toRefundEvidence(refunds: readonly Refund[], chargeId: string): Promise<ReversalEvidence[]> {
    const payment = await getPayment(chargeId);
    return refunds.map((refund) => createRefundEvidence(refund, payment));
  }

  function createRefundEvidence(
    refund: Refund,
    payment: Pick<ReversalEvidence, 'paymentReference' | 'topupId'>,
  ): ReversalEvidence {
    return {
      ...payment,
      about: 'reversal',
      kind: 'refund',
      reference: refund.id,
      mode,
      amountMinor: refund.amount,
      currency: refund.currency.toUpperCase(),
      money: refund.status !== null && returnedStatuses.has(refund.status) ? 'returned' : 'taken',
      outcome: null,
      refundId: refund.metadata?.refund_id ?? null,
      isPending: refund.status !== null && pendingStatuses.has(refund.status),
    };
  }

  async function refundPayment(request: RefundRequest): Promise<ReversalEvidence> {
    const { refundId, topupId, paymentReference, amountMinor } = request;
    const created = await stripe.refunds.create(
      {
        payment_intent: paymentReference,
        amount: amountMinor,
        reason: 'requested_by_customer',
        metadata: { refund_id: refundId, topup_id: topupId },
      },
      { idempotencyKey: refundId },
    );
    return createRefundEvidence(parseProviderPayload('Stripe', refundSchema, created), { paymentReference, topupId });
  }

  async function findRefund(request: RefundRequest): Promise<ReversalEvidence | null> {
    const { refundId, topupId, paymentReference } = request;
    const listed = await stripe.refunds
      .list({ payment_intent: paymentReference, limit: 100 })
      .autoPagingToArray({ limit: maxRefunds });
    const refunds = parseProviderPayload('Stripe', z.array(refundSchema), listed);
    const found = refunds.find(({ metadata }) => metadata?.refund_id === refundId);
    return found ? createRefundEvidence(found, { paymentReference, topupId }) : null;
  }

  async function toDisputeEvidence(dispute: Dispute): Promise<ReversalEvidence> {
    const dueBy = dispute.evidence_details?.due_by;
    return {
      ...(await getPayment(dispute.charge)),
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

  async function retrieve({ object, id }: EventSubject): Promise<ReversalEvidence[]> {
    if (object === 'refund') {
      const refund = parseProviderPayload('Stripe', refundSchema, await stripe.refunds.retrieve(id));
      return refund.charge === null ? [] : toRefundEvidence([refund], refund.charge);
    }
    if (object === 'refunds') {
      const listed = await stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: maxRefunds });
      return toRefundEvidence(parseProviderPayload('Stripe', z.array(refundSchema), listed), id);
    }
    if (object === 'dispute') {
      return [
        await toDisputeEvidence(parseProviderPayload('Stripe', disputeSchema, await stripe.disputes.retrieve(id))),
      ];
    }
    throw new ProviderError(`Stripe has no ${object} to retrieve`);
  }

  return { retrieve, refundPayment, findRefund };
}

/**
 * Returns where a dispute's money is. `balance_transactions` has a negative entry once Stripe withdrew the money and a
 * positive entry once it was reinstated. An inquiry has none.
 */
function disputeMoney({ status, balance_transactions: moves }: Dispute): ReversalEvidence['money'] {
  if (moves.some(({ amount }) => amount > 0)) return 'returned';
  return status === 'lost' || moves.some(({ amount }) => amount < 0) ? 'taken' : 'kept';
}

/** Returns the outcome of a dispute. A closed inquiry and a prevented dispute count as won. */
function disputeOutcome(status: string): ReversalEvidence['outcome'] {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : null;
}
