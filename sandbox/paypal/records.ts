import { z } from 'zod';
import { keptAnswerSchema } from '../provider/idempotency';

/** Money that went back to the buyer: at our wish, or taken by PayPal (`reversed`). */
const refundSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  /** Integer minor units. */
  amount: z.number().int(),
  kind: z.enum(['refunded', 'reversed']),
  note: z.string().nullable(),
  /** Taken for a dispute that was open; given back when it is won. */
  dispute: z.enum(['taken', 'given_back']).optional(),
  /** How much of it, where not all. */
  givenBack: z.number().int().optional(),
});

const captureSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
  refunds: z.array(refundSchema),
});

/** The buyer's complaint; PayPal decides it. */
const disputeSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  amount: z.number().int(),
  outcome: z.enum(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR']).nullable(),
});

/** What a capture will come to: `instrument_declined` refuses the call, `declined` answers it with a refused capture. */
export const captureFates = ['completed', 'pending', 'declined', 'instrument_declined'] as const;

/** An order as the gateway keeps it; `order-object.ts` turns it into what PayPal answers. */
const orderSchema = z.object({
  id: z.string(),
  /** Unix seconds. */
  created: z.number().int(),
  updated: z.number().int(),
  status: z.enum(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  /** Integer minor units of `currency`. */
  amount: z.number().int(),
  /** ISO 4217 in capitals, as PayPal writes it. */
  currency: z.string(),
  referenceId: z.string(),
  customId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  description: z.string().nullable(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  payerId: z.string(),
  payerEmail: z.string(),
  /** Whether the order was made with `payment_source`, which names the buyer's link differently. */
  hasPaymentSource: z.boolean(),
  fate: z.enum(captureFates),
  /** Whether the last capture was refused for the buyer's instrument. */
  declined: z.boolean(),
  capture: captureSchema.nullable(),
  dispute: disputeSchema.nullable(),
});

export const paypalStateSchema = z.object({
  orders: z.array(orderSchema),
  answers: z.array(keptAnswerSchema),
});

export type OrderRecord = z.infer<typeof orderSchema>;
export type CaptureRecord = z.infer<typeof captureSchema>;
export type RefundRecord = z.infer<typeof refundSchema>;
export type DisputeRecord = z.infer<typeof disputeSchema>;
export type CaptureFate = (typeof captureFates)[number];
