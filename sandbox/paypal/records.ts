import { z } from 'zod';
import { accountSchema } from '../provider/account';
import { keptAnswerSchema } from '../provider/idempotency';

export const refundStatuses = ['COMPLETED', 'PENDING', 'FAILED', 'CANCELLED'] as const;

/** Money that went back to the buyer: at our wish, or taken by PayPal (`reversed`). */
const refundSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  /** Integer minor units. */
  amount: z.number().int(),
  kind: z.enum(['refunded', 'reversed']),
  /** A pending refund is paid by eCheck; it moves money once it is completed. */
  status: z.enum(refundStatuses).default('COMPLETED'),
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

export const disputeOutcomes = [
  'RESOLVED_BUYER_FAVOUR',
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
  'ACCEPTED',
  'DENIED',
] as const;

/** The buyer's complaint; PayPal decides it. */
const disputeSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  amount: z.number().int(),
  outcome: z.enum(disputeOutcomes).nullable(),
  /** PayPal looks into it: its outcome is NONE meanwhile. */
  isUnderReview: z.boolean().default(false),
});

/** What a capture will come to: `refused` refuses the call, `declined` answers it with a declined capture. */
export const captureFates = ['completed', 'pending', 'declined', 'refused'] as const;

/** With which issue a capture is refused, as in PayPal's error answers. */
const refusalSchema = z.object({
  issue: z.string(),
  /** The order stays approved, so that it can be captured again without its payer. */
  keepsApproval: z.boolean(),
  /** How many captures are refused before one is completed; null for all. */
  times: z.number().int().nullable(),
});

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
  /** Of the fate `refused`. */
  refusal: refusalSchema.nullable().default(null),
  /** Whether the last capture was refused. */
  declined: z.boolean(),
  /** Captures that were refused since it was approved. */
  attempts: z.number().int().default(0),
  capture: captureSchema.nullable(),
  dispute: disputeSchema.nullable(),
});

export const paypalStateSchema = z.object({
  orders: z.array(orderSchema),
  answers: z.array(keptAnswerSchema),
  account: accountSchema.default({ own: [], times: {} }),
});

export type OrderRecord = z.infer<typeof orderSchema>;
export type CaptureRecord = z.infer<typeof captureSchema>;
export type RefundRecord = z.infer<typeof refundSchema>;
export type DisputeRecord = z.infer<typeof disputeSchema>;
/** What an approved order will come to. */
export type CaptureFate =
  | { status: 'completed' | 'pending' | 'declined' }
  | ({ status: 'refused' } & z.infer<typeof refusalSchema>);
