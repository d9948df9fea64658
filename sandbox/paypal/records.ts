import { z } from 'zod';
import { accountSchema } from '@/sandbox/provider/account';
import { payoutFates } from '@/sandbox/provider/controls';
import { storedResponseSchema } from '@/sandbox/provider/idempotency';

export const refundStatuses = ['COMPLETED', 'PENDING', 'FAILED', 'CANCELLED'] as const;

/** Money returned to the buyer: refunded by the shop or `reversed` by PayPal. */
const refundSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  /** Integer minor units. */
  amount: z.number().int(),
  kind: z.enum(['refunded', 'reversed']),
  /** A pending refund is paid by eCheck and moves money once it is completed. */
  status: z.enum(refundStatuses).default('COMPLETED'),
  note: z.string().nullable(),
  /** Given with the request; otherwise those of the order. */
  customId: z.string().nullable().default(null),
  invoiceId: z.string().nullable().default(null),
  /** Withdrawn for an open dispute; returned when it is won. */
  dispute: z.enum(['taken', 'given_back']).optional(),
  /** The returned part; the whole amount when omitted. */
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

/** The buyer's dispute; PayPal decides it. */
const disputeSchema = z.object({
  id: z.string(),
  created: z.number().int(),
  amount: z.number().int(),
  outcome: z.enum(disputeOutcomes).nullable(),
  /** Under review by PayPal: the outcome is NONE meanwhile. */
  isUnderReview: z.boolean().default(false),
});

/** The outcome of a capture: `refused` rejects the request, `declined` returns a declined capture. */
export const captureOutcomes = ['completed', 'pending', 'declined', 'refused'] as const;

/** The issue of a refused capture, as in PayPal's error responses. */
const refusalSchema = z.object({
  issue: z.string(),
  /** The order stays approved, so that it can be captured again without the payer. */
  keepsApproval: z.boolean(),
  /** Number of refused captures before one succeeds; null for all. */
  times: z.number().int().nullable(),
});

/** A stored order; `order-object.ts` converts it to PayPal's format. */
const orderSchema = z.object({
  id: z.string(),
  /** Unix seconds. */
  created: z.number().int(),
  updated: z.number().int(),
  status: z.enum(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  /** Integer minor units of `currency`. */
  amount: z.number().int(),
  /** ISO 4217 in upper case, as at PayPal. */
  currency: z.string(),
  referenceId: z.string(),
  customId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  description: z.string().nullable(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  payerId: z.string(),
  payerEmail: z.string(),
  /** Whether the order was created with `payment_source`, which changes the relation of the buyer's link. */
  hasPaymentSource: z.boolean(),
  fate: z.enum(captureOutcomes),
  /** Set for the fate `refused`. */
  refusal: refusalSchema.nullable().default(null),
  /** Whether the last capture was refused. */
  declined: z.boolean(),
  /** Number of refused captures since the approval. */
  attempts: z.number().int().default(0),
  capture: captureSchema.nullable(),
  dispute: disputeSchema.nullable(),
});

const payoutStatuses = [
  'PENDING',
  'SUCCESS',
  'FAILED',
  'UNCLAIMED',
  'ONHOLD',
  'BLOCKED',
  'RETURNED',
  'REFUNDED',
  'REVERSED',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** A payout of a batch. */
const payoutItemSchema = z.object({
  id: z.string(),
  senderItemId: z.string().nullable(),
  receiver: z.string(),
  note: z.string().nullable(),
  /** Integer minor units of `currency`. */
  amount: z.number().int(),
  currency: z.string(),
  fee: z.number().int(),
  status: z.enum(payoutStatuses),
  /** Unix seconds. */
  updated: z.number().int(),
  /** The transaction that sent the money, and the one that returned it. */
  transactionId: z.string().nullable(),
  returnId: z.string().nullable(),
});

const payoutBatchSchema = z.object({
  id: z.string(),
  senderBatchId: z.string(),
  subject: z.string().nullable(),
  created: z.number().int(),
  status: z.enum(['PENDING', 'PROCESSING', 'SUCCESS', 'DENIED']),
  /** What becomes of its payouts: as the controls were when it was created. */
  fate: z.enum(payoutFates),
  items: z.array(payoutItemSchema),
});
export type PayoutBatchRecord = z.infer<typeof payoutBatchSchema>;
export type PayoutItemRecord = z.infer<typeof payoutItemSchema>;

export const paypalStateSchema = z.object({
  orders: z.array(orderSchema),
  payoutBatches: z.array(payoutBatchSchema).default([]),
  answers: z.array(storedResponseSchema),
  account: accountSchema.default({ own: [], times: {} }),
});

export type OrderRecord = z.infer<typeof orderSchema>;
export type CaptureRecord = z.infer<typeof captureSchema>;
export type RefundRecord = z.infer<typeof refundSchema>;
export type DisputeRecord = z.infer<typeof disputeSchema>;
/** The outcome of an approved order. */
export type CaptureOutcome =
  | { status: 'completed' | 'pending' | 'declined' }
  | ({ status: 'refused' } & z.infer<typeof refusalSchema>);
