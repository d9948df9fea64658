import { z } from 'zod';
import type { ProviderMode } from '../../db/schema/topups';
import { type EventLog, type ListedEvent, ProviderError } from './provider';
import { understood } from './understood';
import type { WeChatAccount } from './wechat-account';
import { chinaDay, chinaDays, downloadWeChatBill, type WeChatBillRow, weChatBilledUntil } from './wechat-bills';
import { weChatStored } from './wechat-event';

const dayMs = 24 * 60 * 60 * 1000;
const pageSize = 200;

const paymentRow = z.object({ 商户订单号: z.string().min(1), 微信订单号: z.string().min(1) });
const refundRow = z.object({
  商户订单号: z.string().min(1),
  微信退款单号: z.string().min(1),
  商户退款单号: z.string().min(1),
  退款状态: z.string().min(1),
});

/** A refund in one of these states stays there; PROCESSING and CHANGE (the buyer's bank refused it) do not. */
const finalStates = new Set(['SUCCESS', 'FAIL']);

/**
 * WeChat Pay has no list of events, but a trade bill for each day. It is the only place where a refund appears that was
 * made on the merchant platform, as such a refund has no notify_url. Bills of the past two weeks are read again with
 * each new one: a refund to a bank card takes days, and the row of one that is not final is a new event each day.
 */
export function weChatEventLog(account: WeChatAccount, mode: ProviderMode): EventLog {
  const { mchid } = account.merchant;
  const eventOf = (
    id: string,
    type: string,
    resource: { out_trade_no: string; out_refund_no?: string },
  ): ListedEvent => ({
    ...weChatStored({ id, event_type: type, resource: { mchid, ...resource } }, { mchid, mode }),
    topupId: resource.out_trade_no,
  });

  function paymentEvent(row: WeChatBillRow): ListedEvent {
    const { 商户订单号: orderNo, 微信订单号: transactionId } = understood('WeChat Pay', paymentRow, row);
    return eventOf(`bill:${transactionId}`, 'TRANSACTION.BILLED', { out_trade_no: orderNo });
  }

  function refundEvent(row: WeChatBillRow): ListedEvent {
    const cells = understood('WeChat Pay', refundRow, row);
    const suffix = finalStates.has(cells.退款状态) ? '' : `:${chinaDay(new Date())}`;
    return eventOf(`bill:${cells.微信退款单号}:${cells.退款状态}${suffix}`, 'REFUND.BILLED', {
      out_trade_no: cells.商户订单号,
      out_refund_no: cells.商户退款单号,
    });
  }

  return {
    // WeChat keeps bills for three months.
    keptDays: 88,
    overlapMs: 14 * dayMs,
    completeUntil: weChatBilledUntil,
    async *list(from, until) {
      for (const date of chinaDays(from, until)) {
        for (const [type, read] of [['SUCCESS', paymentEvent] as const, ['REFUND', refundEvent] as const]) {
          const rows = await downloadWeChatBill(account, { kind: 'trade', date, type });
          if (rows === null) throw new ProviderError(`WeChat Pay has not written the bill of ${date} yet`);
          for (let at = 0; at < rows.length; at += pageSize) yield rows.slice(at, at + pageSize).map(read);
        }
      }
    },
  };
}
