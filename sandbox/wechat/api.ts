import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type HttpResponse, json, type Reply } from '@/sandbox/http/reply';
import type { GatewayRequest } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import { type Dialect, withFaults } from '@/sandbox/provider/with-faults';
import { fundBill } from './account';
import { billFile, tradeBill } from './bills';
import { requireSignature } from './check-request';
import { createTrade, parse } from './create-trade';
import { encrypt } from './encrypt';
import { WechatError } from './errors';
import type { WechatGateway } from './gateway';
import { alteration } from './notify';
import { close, closeIfDue, createRefund } from './outcomes';
import { publicKeyId } from './public-key-id';
import type { RefundRecord, TradeRecord } from './records';
import { signedHeaders } from './sign';
import { toTime } from './to-time';
import { toRefundObject, toTradeObject } from './trade-object';

const certificateLifeSeconds = 5 * 365 * 24 * 60 * 60;

/** Declares the part of WeChat Pay's APIv3 that a prepaid wallet needs. */
export function apiRoutes(gateway: WechatGateway): Route[] {
  const signed = (dialect: Dialect, run: (request: GatewayRequest) => HttpResponse): Handler =>
    withFaults(gateway, dialect, (request) => {
      requireSignature(gateway, request);
      return run(request);
    });
  /** The request may select the signing key of its response. */
  const call =
    (run: (request: GatewayRequest) => HttpResponse): Handler =>
    (request) =>
      signed(dialectOf(gateway, request), run)(request);
  const altered = () => (gateway.controls.alterApi ? alteration(gateway) : {});

  return [
    [
      'POST',
      '/v3/pay/transactions/h5',
      call(({ body }) => json(200, { h5_url: payUrl(gateway, createTrade(gateway, 'h5', body)) })),
    ],
    [
      'POST',
      '/v3/pay/transactions/native',
      call(({ body }) => json(200, { code_url: codeUrl(createTrade(gateway, 'native', body)) })),
    ],
    [
      'GET',
      '/v3/pay/transactions/out-trade-no/:no',
      call(({ params, url }) => {
        checkMerchant(gateway, url.searchParams.get('mchid'));
        const trade = gateway.trade(params.no ?? '');
        closeIfDue(trade);
        return json(200, toTradeObject(gateway, trade, altered()));
      }),
    ],
    [
      'POST',
      '/v3/pay/transactions/out-trade-no/:no/close',
      call(({ params, body }) => {
        checkMerchant(gateway, parse(z.strictObject({ mchid: z.string() }), body).mchid);
        const trade = gateway.trade(params.no ?? '');
        if (trade.state !== 'CLOSED' && !close(trade)) throw new WechatError('ORDER_PAID', 'The order is paid');
        return { status: 204, headers: {}, body: '' };
      }),
    ],
    [
      'POST',
      '/v3/refund/domestic/refunds',
      call(({ body }) => {
        const { trade, refund } = makeRefund(gateway, body);
        return json(200, toRefundObject(trade, refund, altered()));
      }),
    ],
    [
      'GET',
      '/v3/refund/domestic/refunds/:no',
      call(({ params }) => {
        const { trade, refund } = gateway.refund(params.no ?? '');
        return json(200, toRefundObject(trade, refund, altered()));
      }),
    ],
    ['GET', '/v3/certificates', call(() => json(200, certificates(gateway)))],
    ['GET', '/v3/bill/fundflowbill', call(({ url }) => json(200, fundBill(gateway, url.searchParams)))],
    ['GET', '/v3/bill/tradebill', call(({ url }) => json(200, tradeBill(gateway, url.searchParams)))],
    [
      'GET',
      '/v3/billdownload/file',
      (request) => {
        const { headers, serverError } = dialectOf(gateway, request);
        return signed({ headers, serverError }, ({ url }) => billFile(gateway, url.searchParams.get('token')))(request);
      },
    ],
  ];
}

/** Returns WeChat's response for an unknown path. */
export function apiNotFound(gateway: WechatGateway, request: GatewayRequest): Reply {
  const dialect = dialectOf(gateway, request);
  return dialect.seal(new WechatError('RESOURCE_NOT_EXISTS', 'Nothing exists at this path').toReply(dialect.headers()));
}

/** Returns the URL of the payment page on a phone. The app adds `redirect_url`, to which the page returns. */
export function payUrl({ origin }: WechatGateway, trade: TradeRecord): string {
  return `${origin}/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${trade.prepayId}&package=${trade.created}`;
}

/** Returns the content of the QR code on a desktop; only WeChat's app can open it. */
export function codeUrl(trade: TradeRecord): string {
  return `weixin://wxpay/bizpayurl?pr=${trade.prepayId}`;
}

/**
 * Returns how to respond. Every response is signed, errors as well, except for an unknown caller. `Wechatpay-Serial` of
 * the request selects the public key regardless of the controls.
 */
function dialectOf(gateway: WechatGateway, { headers }: GatewayRequest) {
  const requested = headers['wechatpay-serial'];
  const serial = requested === publicKeyId(gateway.key) ? requested : gateway.serial;
  return {
    headers: () => ({ 'request-id': randomBytes(16).toString('hex').toUpperCase() }),
    serverError: new WechatError('SYSTEM_ERROR', 'The sandbox is configured to fail'),
    seal: (response: HttpResponse): HttpResponse =>
      response.status === 401
        ? response
        : {
            ...response,
            headers: { ...response.headers, ...signedHeaders(gateway.key, serial, response.body.toString()) },
          },
  };
}

/** @throws WechatError PARAM_ERROR */
function checkMerchant(gateway: WechatGateway, mchid: string | null): void {
  if (mchid !== gateway.merchant?.mchid) throw new WechatError('PARAM_ERROR', 'mchid does not match the signature');
}

const refundSchema = z.strictObject({
  transaction_id: z.string().optional(),
  out_trade_no: z.string().optional(),
  out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/, 'is not 1 to 64 letters, digits or _-|*@'),
  reason: z.string().max(80).optional(),
  notify_url: z.url({ protocol: /^https?$/ }).optional(),
  amount: z.strictObject({
    refund: z.number().int().min(1),
    total: z.number().int().min(1),
    currency: z.literal('CNY'),
  }),
});

const refundFates = { succeeded: 'SUCCESS', pending: 'PROCESSING', failed: 'CLOSED', abnormal: 'ABNORMAL' } as const;

/** Creates a refund, or returns the one with the same number. @throws WechatError */
function makeRefund(gateway: WechatGateway, body: string): { trade: TradeRecord; refund: RefundRecord } {
  const params = parse(refundSchema, body);
  const trade = gateway.state.trades.find((one) =>
    params.transaction_id ? one.transactionId === params.transaction_id : one.outTradeNo === params.out_trade_no,
  );
  if (!trade || trade.transactionId === null) throw new WechatError('RESOURCE_NOT_EXISTS', 'No payment to refund');
  if (params.amount.total !== trade.amount) throw new WechatError('PARAM_ERROR', 'amount.total is not the amount paid');
  const known = trade.refunds.find((refund) => refund.outRefundNo === params.out_refund_no);
  if (known && known.amount !== params.amount.refund) {
    throw new WechatError('PARAM_ERROR', 'out_refund_no was already used with another amount');
  }
  if (known) return { trade, refund: known };
  if (gateway.controls.refundFate === 'refused') throw new WechatError('NOT_ENOUGH', 'The balance is too low');
  const created = createRefund(gateway, trade, {
    status: refundFates[gateway.controls.refundFate],
    amount: params.amount.refund,
    outRefundNo: params.out_refund_no,
    reason: params.reason ?? null,
    isNotified: params.notify_url !== undefined,
  });
  if (!created) throw new WechatError('INVALID_REQUEST', 'The refund exceeds the remaining amount of the payment');
  return { trade, refund: created.refund };
}

/** Returns the platform certificate, encrypted with the merchant's key. */
function certificates({ key, merchant }: WechatGateway) {
  const from = Math.floor(Date.now() / 1_000);
  return {
    data: [
      {
        serial_no: key.serial,
        effective_time: toTime(from),
        expire_time: toTime(from + certificateLifeSeconds),
        encrypt_certificate: encrypt(merchant?.apiV3Key ?? '', key.certificate, 'certificate'),
      },
    ],
  };
}
