import { isIP } from 'node:net';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import type { PaymentConfig } from '../../config/config';
import { parseProviderPayload } from '../parse-provider-payload';
import {
  type CheckoutRequest,
  type PaymentEvidence,
  type PaymentProvider,
  ProviderError,
  type ReversalEvidence,
} from '../provider';
import { type WeChatAccount, weChatAccount } from './account';
import { callWeChat, WeChatRefusal } from './client';
import { weChatEvent, weChatEventLog, weChatStored } from './events';
import { weChatSettlement } from './settlement';

export const isWeChatConfigured = (config: PaymentConfig): boolean => weChatAccount(config) !== null;

const unknownOrder = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS']);
const h5Schema = z.object({ h5_url: z.url({ protocol: /^https?$/ }) });
const nativeSchema = z.object({ code_url: z.string().min(1).max(500) });

/**
 * WeChat Pay APIv3: on a phone its own page opens the app (H5), on a desktop our page shows a code to scan (native). We
 * name the checkout ourselves, by the top-up's id. A mainland merchant is paid in CNY only.
 */
export function weChatProvider(config: PaymentConfig): PaymentProvider {
  const account = completeAccount(config);
  const { mode } = config;
  const { mchid } = account.merchant;

  async function retrieve(reference: string): Promise<PaymentEvidence> {
    const path = `/v3/pay/transactions/out-trade-no/${encodeURIComponent(reference)}?mchid=${encodeURIComponent(mchid)}`;
    try {
      return weChatPayment(await callWeChat(account, 'GET', path), { mchid, mode });
    } catch (thrown) {
      if (!isUnknown(thrown)) throw thrown;
      const base = { about: 'payment' as const, providerReference: reference, topupId: reference, mode };
      return { ...base, amountMinor: 0, currency: 'CNY', outcome: 'expired' };
    }
  }

  return {
    name: 'wechat',
    mode,
    currency: 'CNY',
    referenceOf: (topupId) => topupId,
    createCheckout: (request) => (request.buyer.isMobile ? openH5(account, request) : openNative(account, request)),
    findCheckout: retrieve,
    retrieveCheckout: retrieve,
    async cancelCheckout(reference) {
      try {
        await callWeChat(account, 'POST', `/v3/pay/transactions/out-trade-no/${encodeURIComponent(reference)}/close`, {
          mchid,
        });
      } catch (thrown) {
        // Paid or closed already: asking tells which.
        if (!(thrown instanceof WeChatRefusal) || thrown.httpStatus >= 500) throw thrown;
      }
      return retrieve(reference);
    },
    parseWebhook: (raw, headers) => weChatEvent(account, mode, raw, headers),
    async retrieveEvidence({ object, id }) {
      if (object === 'checkout') return [await retrieve(id)];
      if (object !== 'refund') throw new ProviderError(`WeChat Pay has no ${object} to ask about`);
      const path = `/v3/refund/domestic/refunds/${encodeURIComponent(id)}`;
      return [weChatRefund(await callWeChat(account, 'GET', path), mode)];
    },
    readStored: (payload) => weChatStored(payload, { mchid: account.merchant.mchid, mode }),
    eventLog: weChatEventLog(account, mode),
    settlement: weChatSettlement(account),
  };
}

function completeAccount(config: PaymentConfig): WeChatAccount {
  const account = weChatAccount(config);
  if (!account) throw new AppError('not_configured', 'WeChat Pay is not set up here.');
  return account;
}

const isUnknown = (thrown: unknown) => thrown instanceof WeChatRefusal && unknownOrder.has(thrown.refusalCode);

async function openH5(account: WeChatAccount, request: CheckoutRequest) {
  // Required; behind a proxy that names no address there is none to give.
  const ip = isIP(request.buyer.ip) === 0 ? '127.0.0.1' : request.buyer.ip;
  const scene = { payer_client_ip: ip, h5_info: { type: 'Wap' } };
  const content = { ...orderOf(account, request), scene_info: scene };
  const made = parseProviderPayload(
    'WeChat Pay',
    h5Schema,
    await callWeChat(account, 'POST', '/v3/pay/transactions/h5', content),
  );
  // WeChat's own way to say where the buyer goes afterwards.
  const url = `${made.h5_url}&redirect_url=${encodeURIComponent(request.successUrl)}`;
  return { reference: request.topupId, url };
}

async function openNative(account: WeChatAccount, request: CheckoutRequest) {
  const answer = await callWeChat(account, 'POST', '/v3/pay/transactions/native', orderOf(account, request));
  const { code_url: payCode } = parseProviderPayload('WeChat Pay', nativeSchema, answer);
  return { reference: request.topupId, url: `${env().APP_URL}/user/wallet/wechat/${request.topupId}`, payCode };
}

function orderOf({ merchant, appid }: WeChatAccount, request: CheckoutRequest) {
  if (request.currency !== 'CNY') throw new ProviderError('WeChat Pay takes CNY only');
  return {
    appid,
    mchid: merchant.mchid,
    description: request.description,
    out_trade_no: request.topupId,
    // RFC 3339 with an offset: WeChat does not know the letter Z.
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
function weChatPayment(json: unknown, { mchid, mode }: Merchant): PaymentEvidence {
  const told = parseProviderPayload('WeChat Pay', transactionSchema, json);
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
function weChatRefund(json: unknown, mode: ProviderMode): ReversalEvidence {
  const told = parseProviderPayload('WeChat Pay', refundSchema, json);
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
