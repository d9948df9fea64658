import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import {
  type EventLog,
  type EventSubject,
  type ListedEvent,
  ProviderError,
  type ProviderEvent,
} from '@/lib/payments/providers/provider';
import { parseNotification, parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import { dayMs } from '@/lib/platform/durations';
import { findWeChatKey } from './client';
import { decryptWeChat, hasWeChatSignature, isSignedByWeChat, type WeChatAccount } from './merchant';
import { downloadWeChatBill, getBilledUntil, listChinaDays, toChinaDay, type WeChatBillRow } from './settlement';

const eventSchema = z.object({
  id: z.string().min(1),
  event_type: z.string().min(1),
  resource: z.object({ ciphertext: z.string(), nonce: z.string(), associated_data: z.string().optional() }),
});

/**
 * Verifies, decrypts and parses a webhook event.
 * @returns null when WeChat did not sign it, signed it more than five minutes ago, or encrypted it for another merchant
 * @throws AppError invalid_input when it is not JSON; ProviderError when WeChat's certificates are needed and cannot be
 * fetched
 */
export async function parseWeChatEvent(
  account: WeChatAccount,
  mode: ProviderMode,
  raw: Buffer,
  headers: Pick<Headers, 'get'>,
): Promise<ProviderEvent | null> {
  if (!hasWeChatSignature(headers)) return null;
  const key = await findWeChatKey(account, headers.get('wechatpay-serial') ?? '');
  if (!key || !isSignedByWeChat(raw, headers, key)) return null;
  const json = parseNotification(raw.toString('utf8'));
  const { id, event_type, resource } = parseProviderPayload('WeChat Pay', eventSchema, json);
  const opened = decryptWeChat(account.apiV3Key, resource);
  if (opened === null) return null;
  const payload = { id, event_type, resource: parseNotification(opened) };
  return parseStoredWeChatEvent(payload, { mchid: account.merchant.mchid, mode });
}

const namesSchema = z.object({
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  out_refund_no: z.string().min(1).optional(),
});
const storedSchema = z.object({ id: z.string(), event_type: z.string(), resource: z.unknown() });

/** Parses a webhook event that was verified and decrypted. @throws ProviderError when the payload is not an event */
export function parseStoredWeChatEvent(
  payload: unknown,
  merchant: { mchid: string; mode: ProviderMode },
): ProviderEvent {
  const { id, event_type: type, resource: names } = parseProviderPayload('WeChat Pay', storedSchema, payload);
  const subjects = (): EventSubject[] => {
    const isPayment = type.startsWith('TRANSACTION.');
    if (!isPayment && !type.startsWith('REFUND.')) return [];
    const { mchid, out_trade_no, out_refund_no } = parseProviderPayload('WeChat Pay', namesSchema, names);
    if (mchid !== merchant.mchid) {
      throw new ProviderError(`WeChat Pay sent the merchant ${mchid} instead of ${merchant.mchid}`);
    }
    if (isPayment) return [{ object: 'checkout', id: out_trade_no }];
    if (!out_refund_no) throw new ProviderError('WeChat Pay’s refund has no out_refund_no');
    return [{ object: 'refund', id: out_refund_no }];
  };
  return { eventId: id, type, mode: merchant.mode, payload, subjects };
}

const pageSize = 200;

const paymentRow = z.object({ 商户订单号: z.string().min(1), 微信订单号: z.string().min(1) });
const refundRow = z.object({
  商户订单号: z.string().min(1),
  微信退款单号: z.string().min(1),
  商户退款单号: z.string().min(1),
  退款状态: z.string().min(1),
});

/** Final statuses of a refund; PROCESSING and CHANGE (refused by the buyer's bank) are not final. */
const finalStates = new Set(['SUCCESS', 'FAIL']);

/**
 * Opens the events of WeChat Pay. It has no list of them, so its daily trade bills are read instead. They are the only
 * source of refunds made on the merchant platform, because such refunds have no notify_url. Bills of the past two weeks
 * are read again with each new one: a refund to a bank card takes days, and the row of a refund that is not final is a
 * new event each day.
 */
export function weChatEventLog(account: WeChatAccount, mode: ProviderMode): EventLog {
  const { mchid } = account.merchant;
  const createEvent = (
    id: string,
    type: string,
    resource: { out_trade_no: string; out_refund_no?: string },
  ): ListedEvent => ({
    ...parseStoredWeChatEvent({ id, event_type: type, resource: { mchid, ...resource } }, { mchid, mode }),
    topupId: resource.out_trade_no,
  });

  function paymentEvent(row: WeChatBillRow): ListedEvent {
    const { 商户订单号: orderNo, 微信订单号: transactionId } = parseProviderPayload('WeChat Pay', paymentRow, row);
    return createEvent(`bill:${transactionId}`, 'TRANSACTION.BILLED', { out_trade_no: orderNo });
  }

  function refundEvent(row: WeChatBillRow): ListedEvent {
    const cells = parseProviderPayload('WeChat Pay', refundRow, row);
    const suffix = finalStates.has(cells.退款状态) ? '' : `:${toChinaDay(new Date())}`;
    return createEvent(`bill:${cells.微信退款单号}:${cells.退款状态}${suffix}`, 'REFUND.BILLED', {
      out_trade_no: cells.商户订单号,
      out_refund_no: cells.商户退款单号,
    });
  }

  return {
    // WeChat stores bills for three months.
    retentionDays: 88,
    overlapMs: 14 * dayMs,
    completeUntil: getBilledUntil,
    async *list(from, until) {
      for (const date of listChinaDays(from, until)) {
        for (const [type, read] of [['SUCCESS', paymentEvent] as const, ['REFUND', refundEvent] as const]) {
          const rows = await downloadWeChatBill(account, { kind: 'trade', date, type });
          if (rows === null) throw new ProviderError(`WeChat Pay has not published the bill of ${date} yet`);
          for (let at = 0; at < rows.length; at += pageSize) yield rows.slice(at, at + pageSize).map(read);
        }
      }
    },
  };
}
