import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { type PaymentEvidence, ProviderError, type ReversalEvidence } from './provider';
import { understood } from './understood';

const transactionSchema = z.object({
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().min(1).optional(),
  trade_state: z.string(),
  amount: z.object({ total: z.number().int(), currency: z.string().default('CNY') }).optional(),
});

const refundSchema = z.object({
  out_trade_no: z.string().min(1),
  transaction_id: z.string().min(1),
  refund_id: z.string().min(1),
  status: z.string(),
  amount: z.object({ refund: z.number().int() }),
});

/** REFUND: it was paid before; the refund is told by itself. */
const outcomes: Readonly<Record<string, PaymentEvidence['outcome']>> = {
  SUCCESS: 'paid',
  REFUND: 'paid',
  NOTPAY: 'pending',
  USERPAYING: 'pending',
  ACCEPT: 'pending',
  CLOSED: 'expired',
  REVOKED: 'cancelled',
  PAYERROR: 'failed',
};

const refundMoney: Readonly<Record<string, ReversalEvidence['money']>> = { SUCCESS: 'taken', CLOSED: 'returned' };

/** Whose the evidence must be. */
type Merchant = { mchid: string; mode: ProviderMode };

/**
 * What a transaction that WeChat answered says about its payment. The checkout and the top-up are one
 * name: the out_trade_no that we chose.
 * @throws ProviderError for anything else, and for another merchant's
 */
export function weChatPayment(json: unknown, { mchid, mode }: Merchant): PaymentEvidence {
  const told = understood('WeChat Pay', transactionSchema, json);
  requireMerchant(told.mchid, mchid);
  const outcome = outcomes[told.trade_state];
  if (!outcome) throw new ProviderError(`WeChat Pay told an unknown state: ${told.trade_state}`);
  const base = {
    about: 'payment' as const,
    providerReference: told.out_trade_no,
    topupId: told.out_trade_no,
    mode,
    amountMinor: told.amount?.total ?? 0,
    currency: told.amount?.currency ?? 'CNY',
  };
  if (outcome !== 'paid') return { ...base, outcome };
  if (!told.transaction_id) throw new ProviderError(`WeChat Pay’s ${told.out_trade_no} is paid but names no payment`);
  return { ...base, outcome, paymentReference: told.transaction_id };
}

/**
 * What a refund that WeChat answered says. One that the buyer's bank refused (ABNORMAL) is not over: the merchant has to
 * send it on at WeChat, and only then it succeeds.
 */
export function weChatRefund(json: unknown, mode: ProviderMode): ReversalEvidence {
  const told = understood('WeChat Pay', refundSchema, json);
  return {
    about: 'reversal',
    kind: 'refund',
    reference: told.refund_id,
    paymentReference: told.transaction_id,
    topupId: told.out_trade_no,
    mode,
    amountMinor: told.amount.refund,
    currency: 'CNY',
    money: refundMoney[told.status] ?? 'kept',
    outcome: null,
  };
}

function requireMerchant(told: string, ours: string): void {
  if (told !== ours) throw new ProviderError(`WeChat Pay told about the merchant ${told} instead of ${ours}`);
}
