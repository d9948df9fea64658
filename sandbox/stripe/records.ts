import { z } from 'zod';
import { accountSchema } from '@/sandbox/provider/account';
import { storedResponseSchema } from '@/sandbox/provider/idempotency';

const metadata = z.record(z.string(), z.string());

/** A stored checkout session; `session-object.ts` converts it to Stripe's format. */
const sessionSchema = z.object({
  id: z.string(),
  /** Unix seconds, like all times of Stripe. */
  created: z.number().int(),
  expiresAt: z.number().int(),
  status: z.enum(['open', 'complete', 'expired']),
  paymentStatus: z.enum(['unpaid', 'paid']),
  /** Integer minor units: the sum of the items. */
  amountTotal: z.number().int(),
  /** ISO 4217 in lower case, as at Stripe. */
  currency: z.string(),
  items: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable(),
      unitAmount: z.number().int(),
      quantity: z.number().int(),
    }),
  ),
  successUrl: z.string(),
  cancelUrl: z.string().nullable(),
  clientReferenceId: z.string().nullable(),
  customerEmail: z.string().nullable(),
  adaptivePricing: z.boolean(),
  metadata,
  /** Copied to the payment intent on creation. */
  intentMetadata: metadata,
  intentDescription: z.string().nullable(),
  /** Created with the first payment attempt, as at Stripe. */
  intentId: z.string().nullable(),
  /** The Stripe-Version of the request that created the session, used for its events. */
  apiVersion: z.string(),
});

/** A refund of a charge. */
const refundSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  /** Integer minor units. */
  amount: z.number().int(),
  /**
   * pending: the money left the balance and has not arrived; failed: the buyer's bank returned it; canceled: it was not
   * sent. In the last two cases the shop has the money.
   */
  status: z.enum(['succeeded', 'pending', 'failed', 'canceled']),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).nullable().default('requested_by_customer'),
  metadata: metadata.default({}),
});

/** A dispute of a charge; the whole amount is withdrawn until it is decided. */
const disputeSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  amount: z.number().int(),
  status: z.enum(['needs_response', 'won', 'lost']),
});

const intentSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  created: z.number().int(),
  status: z.enum(['requires_payment_method', 'processing', 'succeeded']),
  chargeId: z.string().nullable(),
  /** Whether the last attempt was declined. */
  declined: z.boolean(),
  refunds: z.array(refundSchema).default([]),
  dispute: disputeSchema.nullable().default(null),
});

export const stripeStateSchema = z.object({
  sessions: z.array(sessionSchema),
  intents: z.array(intentSchema),
  answers: z.array(storedResponseSchema),
  account: accountSchema.default({ own: [], times: {} }),
});

export type SessionRecord = z.infer<typeof sessionSchema>;
export type IntentRecord = z.infer<typeof intentSchema>;
export type RefundRecord = z.infer<typeof refundSchema>;
export type DisputeRecord = z.infer<typeof disputeSchema>;
