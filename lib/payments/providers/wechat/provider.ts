import { isIP } from 'node:net';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import type { PaymentConfig } from '@/lib/payments/config/config';
import {
  type CheckoutRequest,
  type PaymentEvidence,
  type PaymentProvider,
  ProviderError,
  ProviderRefusal,
  type RefundRequest,
  type ReversalEvidence,
} from '@/lib/payments/providers/provider';
import { parseProviderPayload, unlessRefused } from '@/lib/payments/providers/provider-calls';
import { callWeChat, WeChatRefusal } from './client';
import { parseStoredWeChatEvent, parseWeChatEvent, weChatEventLog } from './events';
import { parseWeChatAccount, type WeChatAccount } from './merchant';
import { weChatSettlement } from './settlement';

export const isWeChatConfigured = (config: PaymentConfig): boolean => parseWeChatAccount(config) !== null;

const orderNotFoundCodes = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS']);
const h5Schema = z.object({ h5_url: z.url({ protocol: /^https?$/ }) });
const nativeSchema = z.object({ code_url: z.string().min(1).max(500) });

/**
 * Opens WeChat Pay APIv3: on a phone WeChat's page opens the app (H5), on a desktop our page shows a QR code (native).
 * The checkout's reference is the top-up's id. A mainland merchant is paid in CNY only.
 */
export function weChatProvider(config: PaymentConfig): PaymentProvider {
  const account = parseWeChatAccount(config);
  if (!account) throw new AppError('not_configured', 'WeChat Pay is not set up.');
  const { mode } = config;
  const { mchid } = account.merchant;

  const retrieveRefund = async (id: string) =>
    parseRefundEvidence(await callWeChat(account, 'GET', `${refundsPath}/${encodeURIComponent(id)}`), mode);
  const retrieve = async (reference: string): Promise<PaymentEvidence> => {
    const path = `/v3/pay/transactions/out-trade-no/${encodeURIComponent(reference)}?mchid=${encodeURIComponent(mchid)}`;
    try {
      return parsePaymentEvidence(await callWeChat(account, 'GET', path), { mchid, mode });
    } catch (thrown) {
      if (!(thrown instanceof WeChatRefusal && orderNotFoundCodes.has(thrown.refusalCode))) throw thrown;
      const base = { about: 'payment' as const, providerReference: reference, topupId: reference, mode };
      return { ...base, amountMinor: 0, currency: 'CNY', outcome: 'expired' };
    }
  };

  return {
    name: 'wechat',
    mode,
    currency: 'CNY',
    getReference: (topupId) => topupId,
    createCheckout: (request) =>
      request.buyer.isMobile ? createH5Checkout(account, request) : createNativeCheckout(account, request),
    findCheckout: retrieve,
    retrieveCheckout: retrieve,
    async cancelCheckout(reference) {
      try {
        await callWeChat(account, 'POST', `/v3/pay/transactions/out-trade-no/${encodeURIComponent(reference)}/close`, {
          mchid,
        });
      } catch (thrown) {
        // Already paid or closed: retrieving it returns the outcome.
        if (!(thrown instanceof WeChatRefusal) || thrown.httpStatus >= 500) throw thrown;
      }
      return retrieve(reference);
    },
    refundPayment: (request) => refundTransaction(account, request, mode),
    findRefund: ({ refundId }) => unlessRefused(retrieveRefund(refundId), 404),
    parseWebhook: (raw, headers) => parseWeChatEvent(account, mode, raw, headers),
    async retrieveEvidence({ object, id }) {
      if (object === 'checkout') return [await retrieve(id)];
      if (object !== 'refund') throw new ProviderError(`WeChat Pay has no ${object} to retrieve`);
      return [await retrieveRefund(id)];
    },
    parseStored: (payload) => parseStoredWeChatEvent(payload, { mchid: account.merchant.mchid, mode }),
    eventLog: weChatEventLog(account, mode),
    settlement: weChatSettlement(account),
  };
}

const refundsPath = '/v3/refund/domestic/refunds';

/** Codes of a 403 that concern the refund, and not the merchant's permissions. */
const refundRefusals = new Set(['NOT_ENOUGH', 'USER_ACCOUNT_ABNORMAL']);

/** Refunds a transaction. The refund has our id as its `out_refund_no`, by which WeChat repeats its response. */
async function refundTransaction(
  account: WeChatAccount,
  { refundId, paymentReference, amountMinor, chargeAmountMinor, currency }: RefundRequest,
  mode: ProviderMode,
): Promise<ReversalEvidence> {
  const content = {
    transaction_id: paymentReference,
    out_refund_no: refundId,
    notify_url: `${env().APP_URL}/api/payments/wechat/webhook`,
    amount: { refund: amountMinor, total: chargeAmountMinor, currency },
  };
  try {
    return parseRefundEvidence(await callWeChat(account, 'POST', refundsPath, content), mode);
  } catch (thrown) {
    if (!(thrown instanceof WeChatRefusal) || !refundRefusals.has(thrown.refusalCode)) throw thrown;
    throw new ProviderRefusal(thrown.reason, 422, { cause: thrown });
  }
}

async function createH5Checkout(account: WeChatAccount, request: CheckoutRequest) {
  // Required by WeChat; a placeholder when the client's address is unknown.
  const ip = isIP(request.buyer.ip) === 0 ? '127.0.0.1' : request.buyer.ip;
  const scene = { payer_client_ip: ip, h5_info: { type: 'Wap' } };
  const content = { ...createOrderBody(account, request), scene_info: scene };
  const created = parseProviderPayload(
    'WeChat Pay',
    h5Schema,
    await callWeChat(account, 'POST', '/v3/pay/transactions/h5', content),
  );
  // The parameter by which WeChat redirects the buyer afterwards.
  const url = `${created.h5_url}&redirect_url=${encodeURIComponent(request.successUrl)}`;
  return { reference: request.topupId, url };
}

async function createNativeCheckout(account: WeChatAccount, request: CheckoutRequest) {
  const response = await callWeChat(account, 'POST', '/v3/pay/transactions/native', createOrderBody(account, request));
  const { code_url: payCode } = parseProviderPayload('WeChat Pay', nativeSchema, response);
  return { reference: request.topupId, url: `${env().APP_URL}/user/wallet/wechat/${request.topupId}`, payCode };
}

function createOrderBody({ merchant, appid }: WeChatAccount, request: CheckoutRequest) {
  if (request.currency !== 'CNY') throw new ProviderError('WeChat Pay accepts CNY only');
  return {
    appid,
    mchid: merchant.mchid,
    description: request.description,
    out_trade_no: request.topupId,
    // RFC 3339 with a numeric offset: WeChat does not accept `Z`.
    time_expire: `${request.expiresAt.toISOString().slice(0, 19)}+00:00`,
    notify_url: `${env().APP_URL}/api/payments/wechat/webhook`,
    amount: { total: request.amountMinor, currency: request.currency },
  };
}

const transactionSchema = z.object({
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().min(1).optional(),
  trade_state: z.string(),
  amount: z.object({ total: z.number().int(), currency: z.string().default('CNY') }).optional(),
});

const refundSchema = z.object({
  out_refund_no: z.string().min(1),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().min(1),
  refund_id: z.string().min(1),
  status: z.string(),
  amount: z.object({ refund: z.number().int() }),
});

/** REFUND means that the order was paid; the refund is reported separately. */
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

const abnormalText =
  'The buyer’s account refused the refund. Send it to another account in the merchant platform of WeChat Pay.';
const refundMoney: Readonly<Record<string, ReversalEvidence['money']>> = { SUCCESS: 'taken', CLOSED: 'returned' };

/**
 * Parses a transaction from WeChat's API into evidence of its payment. The references of checkout and top-up are both
 * the out_trade_no, which is the top-up's id.
 * @param merchant that the evidence must belong to
 * @throws ProviderError for any other payload, and for another merchant
 */
function parsePaymentEvidence(json: unknown, merchant: { mchid: string; mode: ProviderMode }): PaymentEvidence {
  const transaction = parseProviderPayload('WeChat Pay', transactionSchema, json);
  if (transaction.mchid !== merchant.mchid) {
    throw new ProviderError(`WeChat Pay sent the merchant ${transaction.mchid} instead of ${merchant.mchid}`);
  }
  const outcome = outcomes[transaction.trade_state];
  if (!outcome) throw new ProviderError(`WeChat Pay returned an unknown state: ${transaction.trade_state}`);
  const base = {
    about: 'payment' as const,
    providerReference: transaction.out_trade_no,
    topupId: transaction.out_trade_no,
    mode: merchant.mode,
    amountMinor: transaction.amount?.total ?? 0,
    currency: transaction.amount?.currency ?? 'CNY',
  };
  if (outcome !== 'paid') return { ...base, outcome };
  if (!transaction.transaction_id)
    throw new ProviderError(`WeChat Pay’s ${transaction.out_trade_no} is paid but references no payment`);
  return { ...base, outcome, paymentReference: transaction.transaction_id };
}

/**
 * Parses a refund from WeChat's API. A refund that the buyer's bank refused (ABNORMAL) is not final: it succeeds only
 * after the merchant redirects it at WeChat.
 */
function parseRefundEvidence(json: unknown, mode: ProviderMode): ReversalEvidence {
  const refund = parseProviderPayload('WeChat Pay', refundSchema, json);
  return {
    about: 'reversal',
    kind: 'refund',
    reference: refund.refund_id,
    paymentReference: refund.transaction_id,
    topupId: refund.out_trade_no,
    mode,
    amountMinor: refund.amount.refund,
    currency: 'CNY',
    money: refundMoney[refund.status] ?? 'kept',
    outcome: null,
    refundId: refund.out_refund_no,
    ...(refund.status === 'ABNORMAL' && { problem: abnormalText }),
  };
}
