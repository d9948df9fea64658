import { createDecipheriv } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Rules } from './provider-rules';

/**
 * WeChat Pay's APIv3 for a merchant, as far as this application uses it: names, types, lengths and values as published
 * by Tencent, in closed schemas. Sources: the reference of Native and H5 payments, refunds and bills at
 * pay.weixin.qq.com/doc/v3/merchant, and the models of Tencent's clients (wechatpay-apiv3/wechatpay-go,
 * services/payments and services/refunddomestic; wechatpay-apiv3/wechatpay-java, service/billdownload).
 */

/** The merchant's APIv3 key in the tests, which encrypts notifications. */
export const testApiV3Key = '0123456789abcdefghijklmnopqrstuv';

const text = (max: number) => z.string().min(1).max(max);
const optionalText = (max: number) => z.string().max(max).optional();
const fen = z.int().min(0);
const time = z.iso.datetime({ offset: true });
const currency = z.string().regex(/^[A-Z]{3}$/);
const merchantId = text(32);
const outTradeNo = z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/);
const outRefundNo = z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** Without a query string; https, except for the loopback address of the tests. */
const notifyUrl = z
  .url()
  .max(255)
  .refine(
    (url) => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])[^?#]*$/.test(url),
    'is not a plain https address',
  );

const goods = z.strictObject({
  merchant_goods_id: text(32),
  wechatpay_goods_id: optionalText(32),
  goods_name: optionalText(256),
  quantity: z.int(),
  unit_price: fen,
});
const storeInfo = z.strictObject({
  id: text(32),
  name: optionalText(256),
  area_code: optionalText(32),
  address: optionalText(512),
});
const scene = { payer_client_ip: text(45), device_id: optionalText(32), store_info: storeInfo.optional() };
const h5Info = z.strictObject({
  type: z.enum(['iOS', 'Android', 'Wap']),
  app_name: optionalText(64),
  app_url: optionalText(128),
  bundle_id: optionalText(128),
  package_name: optionalText(128),
});
const order = {
  appid: text(32),
  mchid: merchantId,
  description: text(127).refine((value) => Buffer.byteLength(value) <= 127, 'has more than 127 bytes'),
  out_trade_no: outTradeNo,
  time_expire: time.optional(),
  attach: optionalText(128),
  notify_url: notifyUrl,
  goods_tag: optionalText(32),
  limit_pay: z.array(z.string()).optional(),
  support_fapiao: z.boolean().optional(),
  // Mainland merchants: CNY only.
  amount: z.strictObject({ total: z.int().min(1), currency: z.literal('CNY').optional() }),
  detail: z
    .strictObject({ cost_price: fen.optional(), invoice_id: optionalText(32), goods_detail: z.array(goods).optional() })
    .optional(),
  settle_info: z.strictObject({ profit_sharing: z.boolean().optional() }).optional(),
};

const transaction = z.strictObject({
  appid: text(32),
  mchid: merchantId,
  out_trade_no: outTradeNo,
  transaction_id: optionalText(32),
  trade_type: z.enum(['JSAPI', 'NATIVE', 'APP', 'MICROPAY', 'MWEB', 'FACEPAY']).optional(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR', 'ACCEPT']),
  trade_state_desc: text(256),
  bank_type: optionalText(32),
  attach: optionalText(128),
  success_time: time.optional(),
  payer: z.strictObject({ openid: optionalText(128) }).optional(),
  amount: z
    .strictObject({
      total: fen.optional(),
      payer_total: fen.optional(),
      currency: currency.optional(),
      payer_currency: currency.optional(),
    })
    .optional(),
  scene_info: z.strictObject({ device_id: optionalText(32) }).optional(),
  promotion_detail: z.array(z.looseObject({ coupon_id: text(32), amount: fen })).optional(),
});

const refundAmount = { total: fen, refund: fen, payer_total: fen, payer_refund: fen };
const refund = z.strictObject({
  refund_id: text(32),
  out_refund_no: outRefundNo,
  transaction_id: text(32),
  out_trade_no: outTradeNo,
  channel: z.enum(['ORIGINAL', 'BALANCE', 'OTHER_BALANCE', 'OTHER_BANKCARD']),
  user_received_account: text(64),
  success_time: time.optional(),
  create_time: time,
  status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']),
  funds_account: z.enum(['UNSETTLED', 'AVAILABLE', 'UNAVAILABLE', 'OPERATION', 'BASIC']),
  amount: z.strictObject({
    ...refundAmount,
    from: z.array(z.strictObject({ account: z.enum(['AVAILABLE', 'UNAVAILABLE']), amount: fen })).optional(),
    settlement_refund: fen,
    settlement_total: fen,
    discount_refund: fen,
    currency,
    refund_fee: fen.optional(),
  }),
  promotion_detail: z.array(z.looseObject({ promotion_id: text(32) })).optional(),
});
/** The payment is named by one of its two numbers. */
const refundRequest = z
  .strictObject({
    transaction_id: optionalText(32),
    out_trade_no: outTradeNo.optional(),
    out_refund_no: outRefundNo,
    reason: optionalText(80),
    notify_url: notifyUrl.optional(),
    funds_account: z.enum(['AVAILABLE', 'UNSETTLED']).optional(),
    amount: z.strictObject({
      refund: z.int().min(1),
      total: z.int().min(1),
      currency: z.literal('CNY'),
      from: z.array(z.strictObject({ account: z.enum(['AVAILABLE', 'UNAVAILABLE']), amount: fen })).optional(),
    }),
    goods_detail: z.array(z.looseObject({ merchant_goods_id: text(32) })).optional(),
  })
  .refine((one) => (one.transaction_id === undefined) !== (one.out_trade_no === undefined), 'names no payment, or two');
const refundNotice = z.strictObject({
  mchid: merchantId,
  out_trade_no: outTradeNo,
  transaction_id: text(32),
  out_refund_no: outRefundNo,
  refund_id: text(32),
  refund_status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']),
  success_time: time.optional(),
  user_received_account: text(64),
  amount: z.strictObject(refundAmount),
});

const sealed = z.strictObject({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  nonce: z.string().length(12),
  associated_data: optionalText(16),
  ciphertext: z.base64().max(1_048_576),
});
const notice = z.strictObject({
  id: text(36),
  create_time: time,
  event_type: z.enum(['TRANSACTION.SUCCESS', 'REFUND.SUCCESS', 'REFUND.ABNORMAL', 'REFUND.CLOSED']),
  resource_type: z.literal('encrypt-resource'),
  summary: text(64),
  resource: sealed.extend({ original_type: z.enum(['transaction', 'refund']) }),
});

const bill = z.strictObject({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-f]{40}$/),
  download_url: z.url().max(2_048),
});
const none = z.strictObject({});
const empty = z.literal('');
const errorResponse = z.strictObject({ code: text(32), message: text(256), detail: z.looseObject({}).optional() });

type CallRule = {
  method: 'GET' | 'POST';
  path: RegExp;
  query: z.ZodType;
  body: z.ZodType;
  status: number;
  answer: z.ZodType;
};
const tradePath = '/v3/pay/transactions/out-trade-no/[0-9A-Za-z_|*-]{6,32}';

const calls: readonly CallRule[] = [
  {
    ...{ method: 'POST', path: /^\/v3\/pay\/transactions\/native$/, query: none, status: 200 },
    body: z.strictObject({ ...order, scene_info: z.strictObject(scene).optional() }),
    answer: z.strictObject({ code_url: text(512).regex(/^weixin:\/\/wxpay\/bizpayurl/) }),
  },
  {
    ...{ method: 'POST', path: /^\/v3\/pay\/transactions\/h5$/, query: none, status: 200 },
    body: z.strictObject({ ...order, scene_info: z.strictObject({ ...scene, h5_info: h5Info }) }),
    answer: z.strictObject({ h5_url: z.url().max(512) }),
  },
  {
    ...{ method: 'GET', path: new RegExp(`^${tradePath}$`), body: empty, status: 200 },
    query: z.strictObject({ mchid: merchantId }),
    answer: transaction,
  },
  {
    ...{ method: 'POST', path: new RegExp(`^${tradePath}/close$`), query: none, status: 204 },
    body: z.strictObject({ mchid: merchantId }),
    answer: empty,
  },
  {
    ...{ method: 'GET', path: /^\/v3\/refund\/domestic\/refunds\/[0-9A-Za-z_|*@%-]{1,64}$/, query: none, status: 200 },
    body: empty,
    answer: refund,
  },
  {
    ...{ method: 'POST', path: /^\/v3\/refund\/domestic\/refunds$/, query: none, status: 200 },
    body: refundRequest,
    answer: refund,
  },
  {
    ...{ method: 'GET', path: /^\/v3\/certificates$/, query: none, body: empty, status: 200 },
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          serial_no: z.string().regex(/^[0-9A-F]{16,64}$/),
          effective_time: time,
          expire_time: time,
          encrypt_certificate: sealed,
        }),
      ),
    }),
  },
  {
    ...{ method: 'GET', path: /^\/v3\/bill\/tradebill$/, body: empty, status: 200 },
    query: z.strictObject({
      bill_date: day,
      bill_type: z.enum(['ALL', 'SUCCESS', 'REFUND']).optional(),
      tar_type: z.literal('GZIP').optional(),
    }),
    answer: bill,
  },
  {
    ...{ method: 'GET', path: /^\/v3\/bill\/fundflowbill$/, body: empty, status: 200 },
    query: z.strictObject({
      bill_date: day,
      account_type: z.enum(['BASIC', 'OPERATION', 'FEES']).optional(),
      tar_type: z.literal('GZIP').optional(),
    }),
    answer: bill,
  },
  {
    ...{ method: 'GET', path: /^\/v3\/billdownload\/file$/, body: empty, status: 200 },
    query: z.strictObject({ token: text(1_024) }),
    answer: z.string().superRefine((content, context) => {
      for (const finding of billFindings(content)) context.addIssue({ code: 'custom', message: finding });
    }),
  },
];

const headerSchema = z.object({
  authorization: z
    .string()
    .regex(
      /^WECHATPAY2-SHA256-RSA2048 (?=.*mchid="\d{8,32}")(?=.*nonce_str="[0-9A-Za-z]{1,32}")(?=.*timestamp="\d{10}")(?=.*serial_no="[0-9A-F]{12,64}")(?=.*signature="[0-9A-Za-z+/=]+")/,
    ),
  accept: z.string().regex(/application\/json|\*\/\*/),
  'user-agent': text(512),
  'wechatpay-serial': z
    .string()
    .regex(/^(PUB_KEY_ID_\d+|[0-9A-F]{16,64})$/)
    .optional(),
});

const payment =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额';
const refunded = '微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态';
const billHeaders = new Set([
  `${payment},${refunded},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
  `${payment},商品名称,商户数据包,手续费,费率,订单金额,费率备注`,
  `${payment},退款申请时间,退款成功时间,${refunded},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号',
]);
const sumHeaders = new Set([
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
  '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额',
]);

/** Checks the parts of a bill: a header, rows and totals, each cell after a backtick. */
function billFindings(content: string): string[] {
  const [header = '', ...lines] = content.split(/\r?\n/).filter((line) => line !== '');
  const [sumHeader = '', sums = ''] = lines.splice(-2);
  const columns = header.split(',').length;
  return [
    ...(billHeaders.has(header) ? [] : [`unknown header ${header}`]),
    ...(sumHeaders.has(sumHeader) ? [] : [`unknown sums ${sumHeader}`]),
    ...(sums.startsWith('`') && sums.split(',`').length === sumHeader.split(',').length
      ? []
      : ['sums that do not fit']),
    ...(lines.every((line) => line.startsWith('`') && line.split(',`').length === columns)
      ? []
      : ['a row that does not fit']),
  ];
}

export const weChatRules: Rules = {
  call({ request, response }) {
    const { method, url, headers } = request;
    const where = `${method} ${url.pathname.replace(/(out-trade-no|refunds)\/[^/]+/, '$1/…')}`;
    const rule = calls.find((one) => one.method === method && one.path.test(url.pathname));
    if (!rule) return [`${where}: an address that is not published`];
    const answered =
      response.status === rule.status
        ? findingsOf(rule.answer, contentOf(response.body, response.headers['content-type'] ?? ''))
        : findingsOf(errorResponse, parsed(response.body.toString()));
    return [
      ...findingsOf(headerSchema, headers).map((finding) => `header ${finding}`),
      ...findingsOf(rule.query, Object.fromEntries(url.searchParams)).map((finding) => `query ${finding}`),
      ...findingsOf(rule.body, request.body === '' ? '' : parsed(request.body)).map((finding) => `body ${finding}`),
      ...answered.map((finding) => `answer ${response.status} ${finding}`),
    ].map((finding) => `${where}: ${finding}`);
  },
  event({ event }) {
    const body = parsed(event.body);
    const outer = findingsOf(notice, body);
    if (outer.length > 0) return outer.map((finding) => `notification ${finding}`);
    const { event_type: type, resource } = notice.parse(body);
    const schema = type.startsWith('REFUND.') ? refundNotice : transaction;
    return findingsOf(schema, parsed(opened(resource))).map((finding) => `${type} ${finding}`);
  },
};

function findingsOf(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map(({ path, message }) => `${path.join('.') || '(whole)'}: ${message}`);
}

/** A file is text; all other content is JSON. */
function contentOf(body: string | Buffer, type: string): unknown {
  if (typeof body !== 'string') return (type.includes('gzip') ? gunzipSync(body) : body).toString('utf8');
  return body === '' ? '' : parsed(body);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function opened({ ciphertext, nonce, associated_data: associated = '' }: z.output<typeof sealed>): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(testApiV3Key), Buffer.from(nonce));
  decipher.setAuthTag(bytes.subarray(-16)).setAAD(Buffer.from(associated));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}
