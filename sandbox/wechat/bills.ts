import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { HttpResponse } from '@/sandbox/http/reply';
import { letters, randomText } from '@/sandbox/provider/random-text';
import { WechatError } from './errors';
import type { WechatGateway } from './gateway';
import type { RefundRecord, TradeRecord } from './records';
import { toTime } from './to-time';

const maxFiles = 50;
const fileTtlMs = 5 * 60 * 1000;
const readyHour = 10;
const dayMs = 24 * 60 * 60 * 1000;
const retentionDays = 90;
/** Fee of a payment, in basis points. */
const feeRate = 60;

const queryFields = {
  bill_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date'),
  tar_type: z.literal('GZIP').optional(),
};
const tradeQuery = z.strictObject({ ...queryFields, bill_type: z.enum(['ALL', 'SUCCESS', 'REFUND']).default('ALL') });

type Query = { bill_date: string; tar_type?: 'GZIP' | undefined };
type Cells = Readonly<Record<string, string>>;

/**
 * The columns of a trade bill, as in Tencent's documentation and the tests of its Go client. A bill of payments has no
 * refund columns, and one of refunds has two more.
 */
const paymentColumns =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额';
const refundColumns = '微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态';
const goodsColumns = '商品名称,商户数据包,手续费,费率,订单金额';
const tradeColumns = {
  ALL: `${paymentColumns},${refundColumns},${goodsColumns},申请退款金额,费率备注`,
  SUCCESS: `${paymentColumns},${goodsColumns},费率备注`,
  REFUND: `${paymentColumns},退款申请时间,退款成功时间,${refundColumns},${goodsColumns},申请退款金额,费率备注`,
};
const tradeSums = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';

/** Answers GET /v3/bill/tradebill. @throws WechatError */
export function tradeBill(gateway: WechatGateway, params: URLSearchParams) {
  const query = parseQuery(tradeQuery, params);
  requireReady(gateway, query);
  const rows: Cells[] = [];
  for (const trade of gateway.state.trades) {
    if (query.bill_type !== 'REFUND' && trade.paidAt !== null && toDay(trade.paidAt) === query.bill_date) {
      rows.push(paymentRow(gateway, trade, trade.paidAt));
    }
    for (const refund of query.bill_type === 'SUCCESS' ? [] : trade.refunds) {
      if (toDay(refund.created) === query.bill_date) rows.push(refundRow(gateway, trade, refund));
    }
  }
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column] ?? 0), 0).toFixed(2);
  const sums = ['应结订单金额', '退款金额', '充值券退款金额', '手续费', '订单金额', '申请退款金额'].map(sum);
  const columns = tradeColumns[query.bill_type].split(',');
  const text = formatBill(columns, rows, tradeSums.split(','), [String(rows.length), ...sums]);
  return publishBill(gateway, query, rows.length, text);
}

/** Answers GET of a download URL with the published file, without a signature. @throws WechatError */
export function billFile(gateway: WechatGateway, token: string | null): HttpResponse {
  const file = gateway.bills.get(token ?? '');
  if (!file || file.until < Date.now()) throw new WechatError('INVALID_REQUEST', 'The download URL has expired');
  return { status: 200, headers: { 'content-type': file.type }, body: file.content };
}

/** @throws WechatError PARAM_ERROR */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, params: URLSearchParams): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(params));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new WechatError('PARAM_ERROR', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** Requires an available bill: from 10:00 of the next day in China, for three months. @throws WechatError */
export function requireReady({ controls }: WechatGateway, { bill_date: date }: Query): void {
  const start = Date.parse(`${date}T00:00:00+08:00`);
  if (start < Date.now() - retentionDays * dayMs) throw new WechatError('INVALID_REQUEST', 'bill_date is too long ago');
  const readyAt = start + dayMs + readyHour * 60 * 60 * 1000;
  if (readyAt > Date.now() || controls.bills === 'creating') {
    throw new WechatError('STATEMENT_CREATING', 'The bill is not available yet');
  }
}

/** @throws WechatError NO_STATEMENT_EXIST for a day without a row */
export function publishBill(gateway: WechatGateway, query: Query, rows: number, text: string) {
  if (rows === 0) throw new WechatError('NO_STATEMENT_EXIST', 'There is no bill for this day');
  const { bills, origin, controls } = gateway;
  const token = randomText(64, letters);
  const sent = controls.bills === 'corrupt' ? text.replace('`', '`1') : text;
  const isPacked = query.tar_type === 'GZIP';
  bills.set(token, {
    content: isPacked ? gzipSync(sent) : Buffer.from(sent),
    type: isPacked ? 'application/x-gzip' : 'text/plain',
    until: Date.now() + fileTtlMs,
  });
  const [oldest] = bills.keys();
  if (bills.size > maxFiles && oldest !== undefined) bills.delete(oldest);
  return {
    hash_type: 'SHA1',
    hash_value: createHash('sha1').update(text).digest('hex'),
    download_url: `${origin}/v3/billdownload/file?token=${token}`,
  };
}

/** Formats a bill. Cells start with a backtick, so that a spreadsheet does not parse formulas; lines end with CRLF. */
export function formatBill(columns: string[], rows: readonly Cells[], sumColumns: string[], sums: string[]): string {
  const line = (cells: string[]) => cells.map((cell) => `\`${cell}`).join(',');
  const body = rows.map((row) => line(columns.map((column) => row[column] ?? '')));
  return [columns.join(','), ...body, sumColumns.join(','), line(sums), ''].join('\r\n');
}

function paymentRow(gateway: WechatGateway, trade: TradeRecord, paidAt: number): Cells {
  return {
    ...commonCells(gateway, trade, paidAt),
    交易状态: 'SUCCESS',
    应结订单金额: formatYuan(trade.amount),
    微信退款单号: '0',
    商户退款单号: '0',
    退款金额: formatYuan(0),
    手续费: fee(trade.amount),
    订单金额: formatYuan(trade.amount),
    申请退款金额: formatYuan(0),
  };
}

const refundStates = {
  SUCCESS: 'SUCCESS',
  PROCESSING: 'PROCESSING',
  ABNORMAL: 'CHANGE',
  CLOSED: 'FAIL',
} satisfies Record<RefundRecord['status'], string>;

/** Returns a row; `交易时间` is the time of the payment. */
function refundRow(gateway: WechatGateway, trade: TradeRecord, refund: RefundRecord): Cells {
  return {
    ...commonCells(gateway, trade, trade.paidAt ?? trade.created),
    交易状态: 'REFUND',
    应结订单金额: formatYuan(0),
    退款申请时间: toBillTime(refund.created),
    退款成功时间: refund.status === 'SUCCESS' ? toBillTime(refund.created) : '',
    微信退款单号: refund.id,
    商户退款单号: refund.outRefundNo,
    退款金额: formatYuan(refund.amount),
    退款类型: 'ORIGINAL',
    退款状态: refundStates[refund.status],
    手续费: `-${fee(refund.amount)}`,
    订单金额: formatYuan(0),
    申请退款金额: formatYuan(refund.amount),
  };
}

function commonCells({ merchant }: WechatGateway, trade: TradeRecord, at: number): Cells {
  return {
    交易时间: toBillTime(at),
    公众账号ID: merchant?.appid ?? '',
    商户号: merchant?.mchid ?? '',
    特约商户号: '0',
    微信订单号: trade.transactionId ?? '',
    商户订单号: trade.outTradeNo,
    用户标识: trade.payerId,
    交易类型: trade.kind === 'h5' ? 'MWEB' : 'NATIVE',
    付款银行: 'OTHERS',
    货币种类: trade.currency,
    代金券金额: formatYuan(0),
    充值券退款金额: formatYuan(0),
    商品名称: trade.description,
    商户数据包: trade.attach ?? '',
    费率: `${(feeRate / 100).toFixed(2)}%`,
  };
}

export const formatYuan = (fen: number) => (fen / 100).toFixed(2);
const fee = (fen: number) => (Math.round((fen * feeRate) / 10_000) / 100).toFixed(5);
export const toDay = (unixSeconds: number) => toTime(unixSeconds).slice(0, 10);
export const toBillTime = (unixSeconds: number) => toTime(unixSeconds).slice(0, 19).replace('T', ' ');
