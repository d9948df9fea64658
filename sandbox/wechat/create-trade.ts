import { createHash } from 'node:crypto';
import { z } from 'zod';
import { letters, randomText } from '@/sandbox/provider/random-text';
import { WechatError } from './errors';
import type { WechatGateway } from './gateway';
import { closeIfDue, isOpen } from './outcomes';
import type { TradeRecord } from './records';

const maxTrades = 500;
const lifeSeconds = 2 * 60 * 60;
const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .refine((value) => Buffer.byteLength(value) <= longest, `has more than ${longest} bytes`);

const common = {
  appid: z.string().min(1).max(32),
  mchid: z.string().min(1).max(32),
  description: bytes(127),
  out_trade_no: z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/, 'is not 6 to 32 letters, digits or _-|*'),
  time_expire: z.iso.datetime({ offset: true }).optional(),
  attach: z.string().max(128).optional(),
  notify_url: z.url({ protocol: /^https?$/ }).max(256),
  amount: z.strictObject({
    total: z.number().int().min(1).max(10_000_000_000),
    currency: z.literal('CNY').default('CNY'),
  }),
};
const scene = { payer_client_ip: z.union([z.ipv4(), z.ipv6()]), device_id: z.string().max(32).optional() };
const schemas = {
  native: z.strictObject({ ...common, scene_info: z.strictObject(scene).optional() }),
  h5: z.strictObject({
    ...common,
    scene_info: z.strictObject({
      ...scene,
      h5_info: z.strictObject({
        type: z.enum(['iOS', 'Android', 'Wap']),
        app_name: z.string().max(64).optional(),
        app_url: z.string().max(128).optional(),
      }),
    }),
  }),
};

/**
 * Creates an order, or returns the one of the same request: WeChat identifies orders by the merchant's number.
 * @throws WechatError
 */
export function createTrade(gateway: WechatGateway, kind: TradeRecord['kind'], body: string): TradeRecord {
  const { merchant, state } = gateway;
  const params = parse(schemas[kind], body);
  if (params.mchid !== merchant?.mchid) throw new WechatError('PARAM_ERROR', 'mchid does not match the signature');
  if (params.appid !== merchant.appid) throw new WechatError('NO_AUTH', 'appid does not belong to the merchant');
  const fingerprint = createHash('sha256')
    .update(`${kind}\n${JSON.stringify(params)}`)
    .digest('hex');
  const known = state.trades.find((trade) => trade.outTradeNo === params.out_trade_no);
  if (known) return requireOpen(known, fingerprint);

  const created = Math.floor(Date.now() / 1_000);
  const expiresAt = params.time_expire ? Math.floor(Date.parse(params.time_expire) / 1_000) : created + lifeSeconds;
  if (expiresAt <= created) throw new WechatError('PARAM_ERROR', 'time_expire is in the past');
  const trade: TradeRecord = {
    outTradeNo: params.out_trade_no,
    kind,
    prepayId: kind === 'native' ? randomText(9, letters) : `wx${randomText(34, letters)}`,
    created,
    expiresAt,
    state: 'NOTPAY',
    description: params.description,
    amount: params.amount.total,
    currency: params.amount.currency,
    attach: params.attach ?? null,
    notifyUrl: params.notify_url,
    payerId: `o${randomText(27, letters)}`,
    transactionId: null,
    paidAt: null,
    refunds: [],
    fingerprint,
  };
  state.trades.push(trade);
  if (state.trades.length > maxTrades) state.trades.splice(0, state.trades.length - maxTrades);
  return trade;
}

/**
 * Requires an open order of the same request.
 * @throws WechatError for another request with the same number, and for a closed or paid order
 */
function requireOpen(trade: TradeRecord, fingerprint: string): TradeRecord {
  closeIfDue(trade);
  if (trade.fingerprint !== fingerprint) {
    throw new WechatError('OUT_TRADE_NO_USED', 'out_trade_no was already used with other content');
  }
  if (trade.state === 'CLOSED') throw new WechatError('ORDER_CLOSED', 'The order is closed');
  if (!isOpen(trade)) throw new WechatError('ORDER_PAID', 'The order is paid');
  return trade;
}

/** Parses a body. @throws WechatError PARAM_ERROR with the field */
export function parse<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(toJson(body));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new WechatError('PARAM_ERROR', `${issue?.path.join('.')}: ${issue?.message}`);
}

function toJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new WechatError('PARAM_ERROR', 'The body is not valid JSON');
  }
}
