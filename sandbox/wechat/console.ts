import { parseAmount, parseDays, parseForce } from '@/sandbox/provider/action-fields';
import type { PaymentSummary, ProviderConsole } from '@/sandbox/provider/console';
import { capitals, randomText } from '@/sandbox/provider/random-text';
import type { Outcome } from '@/sandbox/provider/send-event';
import { wechatAccount } from './account';
import { payUrl } from './api';
import type { WechatGateway } from './gateway';
import { phonePaths } from './hosted-routes';
import {
  backdate,
  close,
  closeIfDue,
  completeRefund,
  createRefund,
  fail,
  failRefund,
  isOpen,
  pay,
  payLater,
} from './outcomes';
import type { TradeRecord } from './records';
import { sumRefunds } from './refunded';
import { scanRoutes } from './scan-routes';

/** Returns WeChat's orders for the controls and the gateway's pages. */
export function wechatConsole(gateway: WechatGateway): ProviderConsole {
  const on = (run: (trade: TradeRecord, fields: unknown) => Outcome) => (id: string, fields: unknown) =>
    run(gateway.trade(id), fields);
  const account = wechatAccount(gateway);
  return {
    gateway,
    payments: () => gateway.state.trades.map((trade) => toSummary(gateway, trade)),
    payment: (id) => toSummary(gateway, gateway.trade(id)),
    actions: {
      pay: on((trade, fields) => pay(gateway, trade, parseForce(fields))),
      'pay-later': on(payLater),
      'complete-async': on((trade) => (trade.state === 'USERPAYING' ? pay(gateway, trade) : null)),
      'fail-async': on((trade) => (trade.state === 'USERPAYING' ? fail(trade) : null)),
      fail: on(fail),
      expire: on(close),
      refund: on((trade, fields) => refundManually(gateway, trade, parseAmount(fields))),
      'refund-slowly': on((trade, fields) => refundManually(gateway, trade, parseAmount(fields), true)),
      'refund-arrives': on((trade) => completeRefund(gateway, trade)),
      'refund-close': on((trade) => completeRefund(gateway, trade, 'CLOSED')),
      'refund-abnormal': on((trade) => completeRefund(gateway, trade, 'ABNORMAL')),
      'refund-fail': on((trade) => failRefund(gateway, trade)),
      backdate: on((trade, fields) => backdate(trade, parseDays(fields))),
    },
    routes: scanRoutes(gateway),
    account,
    expireDue: () => gateway.state.trades.map(closeIfDue).some(Boolean),
    forget() {
      gateway.state.trades.length = 0;
      account.forget();
    },
  };
}

/** Refunds as on WeChat's merchant platform, which generates the refund number. */
function refundManually(gateway: WechatGateway, trade: TradeRecord, amount: number | null, isSlow = false): Outcome {
  const outRefundNo = `hand${randomText(20, capitals)}`;
  const isNotified = gateway.controls.refundNotices === 'sent';
  return (
    createRefund(gateway, trade, {
      amount,
      outRefundNo,
      reason: null,
      isNotified,
      status: isSlow ? 'PROCESSING' : 'SUCCESS',
    })?.outcome ?? null
  );
}

function toSummary(gateway: WechatGateway, trade: TradeRecord): PaymentSummary {
  return {
    id: trade.outTradeNo,
    provider: 'wechat',
    url: isOpen(trade) ? phoneUrl(gateway, trade) : null,
    status: trade.state,
    state: getState(trade),
    undelivered: gateway.webhookQueue.undelivered('wechat', trade.outTradeNo).length,
    amount_total: trade.amount,
    amount_refunded: sumRefunds(trade),
    currency: trade.currency.toLowerCase(),
    reference: trade.outTradeNo,
    customer_email: null,
    created: trade.created,
    expires_at: trade.expiresAt,
    actions: listActions(trade),
  };
}

function phoneUrl(gateway: WechatGateway, trade: TradeRecord): string {
  return trade.kind === 'h5' ? payUrl(gateway, trade) : `${gateway.origin}${phonePaths.native}?pr=${trade.prepayId}`;
}

function getState(trade: TradeRecord): PaymentSummary['state'] {
  switch (trade.state) {
    case 'SUCCESS':
      return { label: 'Paid', tone: 'good' };
    case 'REFUND':
      return { label: sumRefunds(trade) < trade.amount ? 'Partly refunded' : 'Refunded', tone: 'warn' };
    case 'CLOSED':
      return { label: 'Closed', tone: 'bad' };
    case 'USERPAYING':
      return { label: 'Undecided', tone: 'warn' };
    case 'PAYERROR':
      return { label: 'Failed', tone: 'bad' };
    case 'NOTPAY':
      return { label: 'Open', tone: '' };
  }
}

function listActions(trade: TradeRecord): PaymentSummary['actions'] {
  if (isOpen(trade)) return [{ name: 'expire', label: 'Close' }];
  if (trade.state === 'USERPAYING') {
    return [
      { name: 'complete-async', label: 'Money arrives' },
      { name: 'fail-async', label: 'Money does not arrive' },
    ];
  }
  if (trade.transactionId === null) return [];
  return [
    ...(sumRefunds(trade) < trade.amount ? [{ name: 'refund', label: 'Refund' }] : []),
    ...(trade.refunds.some(({ status }) => status === 'PROCESSING')
      ? [
          { name: 'refund-arrives', label: 'Refund arrives' },
          { name: 'refund-close', label: 'Refund is closed' },
          { name: 'refund-abnormal', label: 'Refund is refused by the account' },
        ]
      : []),
    ...(sumRefunds(trade) > 0 ? [{ name: 'refund-fail', label: 'Refund fails' }] : []),
  ];
}
