import { z } from 'zod';
import { accountSchema } from '@/sandbox/provider/account';

/** A refund; its completion is reported by an event. */
const refundSchema = z.object({
  /** WeChat's number. */
  id: z.string(),
  /** The merchant's number. */
  outRefundNo: z.string(),
  created: z.number().int(),
  /** Fen. */
  amount: z.number().int(),
  status: z.enum(['SUCCESS', 'PROCESSING', 'ABNORMAL', 'CLOSED']),
  /** Whether the request had a notify_url. */
  isNotified: z.boolean().default(false),
  reason: z.string().nullable(),
});

/** A stored trade; `trade-object.ts` converts it to WeChat's format. */
const tradeSchema = z.object({
  /** The merchant's number, which identifies the trade. */
  outTradeNo: z.string(),
  kind: z.enum(['h5', 'native']),
  /** The id in h5_url and code_url. */
  prepayId: z.string(),
  /** Unix seconds. */
  created: z.number().int(),
  expiresAt: z.number().int(),
  state: z.enum(['NOTPAY', 'USERPAYING', 'SUCCESS', 'CLOSED', 'PAYERROR', 'REFUND']),
  description: z.string(),
  /** Fen. */
  amount: z.number().int(),
  currency: z.literal('CNY'),
  attach: z.string().nullable(),
  notifyUrl: z.string(),
  payerId: z.string(),
  /** WeChat's number of the payment; null until it is paid. */
  transactionId: z.string().nullable(),
  paidAt: z.number().int().nullable(),
  refunds: z.array(refundSchema),
  /** Hash of the request: the same number with other content is rejected. */
  fingerprint: z.string(),
});

export const wechatStateSchema = z.object({
  trades: z.array(tradeSchema),
  account: accountSchema.default({ own: [], times: {} }),
});

export type TradeRecord = z.infer<typeof tradeSchema>;
export type RefundRecord = z.infer<typeof refundSchema>;
