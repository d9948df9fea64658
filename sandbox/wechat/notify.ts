import { randomUUID } from 'node:crypto';
import { announce, type Notice } from '../provider/announce';
import { encrypt, unknownKey } from './encrypt';
import type { WechatGateway } from './gateway';
import type { RefundRecord, TradeRecord } from './records';
import { toTime } from './to-time';
import { type Alteration, toRefundNotice, toTradeObject } from './trade-object';

/** `TRANSACTION.SUCCESS`: the only thing WeChat tells about a payment by itself. */
export function notifyPaid(gateway: WechatGateway, trade: TradeRecord): Notice {
  return send(gateway, trade, {
    type: 'TRANSACTION.SUCCESS',
    originalType: 'transaction',
    summary: 'Payment successful',
    resource: toTradeObject(gateway, trade, alteration(gateway)),
  });
}

/** `REFUND.SUCCESS`, or `REFUND.ABNORMAL` for one that the buyer's account did not take. */
export function notifyRefund(gateway: WechatGateway, trade: TradeRecord, refund: RefundRecord): Notice {
  return send(gateway, trade, {
    type: `REFUND.${refund.status}`,
    originalType: 'refund',
    summary: refund.status === 'SUCCESS' ? 'Refund successful' : 'Refund abnormal',
    resource: toRefundNotice(gateway, trade, refund, alteration(gateway)),
  });
}

/** What the controls falsify in notifications; the other mode is another merchant. */
export function alteration({ controls }: WechatGateway): Alteration {
  return {
    ...(controls.alterAmount !== null && { amount: controls.alterAmount }),
    ...(controls.alterCurrency !== null && { currency: controls.alterCurrency.toUpperCase() }),
    ...(controls.alterLivemode && { mchid: '1900000001' }),
  };
}

type Content = { type: string; originalType: string; summary: string; resource: object };

function send(gateway: WechatGateway, trade: TradeRecord, content: Content): Notice {
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
  return announce(gateway, {
    id,
    type: content.type,
    subjectId: trade.outTradeNo,
    body: JSON.stringify(body),
    createdAt,
    signedAs: gateway.serial,
  });
}
