import { randomUUID } from 'node:crypto';
import { type SentEvents, sendEvent } from '@/sandbox/provider/send-event';
import { encrypt, unknownKey } from './encrypt';
import type { WechatGateway } from './gateway';
import type { RefundRecord, TradeRecord } from './records';
import { toTime } from './to-time';
import { type Alteration, toRefundNotice, toTradeObject } from './trade-object';

/** Sends `TRANSACTION.SUCCESS`: the only event that WeChat sends about a payment. */
export function notifyPaid(gateway: WechatGateway, trade: TradeRecord): SentEvents {
  return send(gateway, trade, {
    type: 'TRANSACTION.SUCCESS',
    originalType: 'transaction',
    summary: 'Payment successful',
    resource: toTradeObject(gateway, trade, alteration(gateway)),
  });
}

/** Sends `REFUND.SUCCESS`, `REFUND.CLOSED`, or `REFUND.ABNORMAL` when the buyer's account rejected it. */
export function notifyRefund(gateway: WechatGateway, trade: TradeRecord, refund: RefundRecord): SentEvents {
  return send(gateway, trade, {
    type: `REFUND.${refund.status}`,
    originalType: 'refund',
    summary: summaries[refund.status],
    resource: toRefundNotice(gateway, trade, refund, alteration(gateway)),
  });
}

const summaries = {
  SUCCESS: 'Refund successful',
  ABNORMAL: 'Refund abnormal',
  CLOSED: 'Refund closed',
  PROCESSING: 'Refund in progress',
} satisfies Record<RefundRecord['status'], string>;

/** Returns the changes that the controls make to events; another mode is another merchant. */
export function alteration({ controls }: WechatGateway): Alteration {
  return {
    ...(controls.alterAmount !== null && { amount: controls.alterAmount }),
    ...(controls.alterCurrency !== null && { currency: controls.alterCurrency.toUpperCase() }),
    ...(controls.alterLivemode && { mchid: '1900000001' }),
  };
}

type Content = { type: string; originalType: string; summary: string; resource: object };

function send(gateway: WechatGateway, trade: TradeRecord, content: Content): SentEvents {
  const createdAt = Date.now();
  const id = randomUUID();
  const key = gateway.merchant?.apiV3Key ?? unknownKey();
  const body = {
    id,
    create_time: toTime(Math.floor(createdAt / 1_000)),
    event_type: content.type,
    resource_type: 'encrypt-resource',
    summary: content.summary,
    resource: {
      original_type: content.originalType,
      ...encrypt(key, JSON.stringify(content.resource), content.originalType),
    },
  };
  return sendEvent(gateway, {
    id,
    type: content.type,
    subjectId: trade.outTradeNo,
    body: JSON.stringify(body),
    createdAt,
    signedAs: gateway.serial,
  });
}
