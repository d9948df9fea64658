import { z } from 'zod';
import { type Derived, type Movement, providerAccount } from '@/sandbox/provider/account';
import { digits, randomText } from '@/sandbox/provider/random-text';
import { formatBill, formatYuan, parseQuery, publishBill, requireReady, toBillTime, toDay } from './bills';
import type { WechatGateway } from './gateway';
import type { TradeRecord } from './records';

/** Fee of a payment, in basis points. */
const feeRate = 60;
const computeFee = (fen: number) => Math.round((fen * feeRate) / 10_000);

const withdrawal = () => `7${randomText(27, digits)}`;

/** Returns the balance of the sandbox's merchant. */
export const wechatAccount = (gateway: WechatGateway) =>
  providerAccount({
    record: () => gateway.state.account,
    currency: 'CNY',
    newId: {
      movement: () => randomText(28, digits),
      payout: withdrawal,
      charge: () => `42000${randomText(23, digits)}`,
    },
    derived: () => gateway.state.trades.flatMap(listMovements),
  });

function listMovements(trade: TradeRecord): Derived[] {
  if (trade.transactionId === null || trade.paidAt === null) return [];
  const of = { currency: trade.currency, paymentId: trade.outTradeNo };
  const charge: Derived = {
    ...of,
    id: `1${trade.transactionId.slice(1)}`,
    at: trade.paidAt,
    type: 'charge',
    gross: trade.amount,
    fee: computeFee(trade.amount),
    source: trade.transactionId,
  };
  const moved = trade.refunds.filter(({ status }) => status !== 'PROCESSING' && status !== 'CLOSED');
  return [
    charge,
    ...moved.map(
      (refund): Derived => ({
        ...of,
        id: `1${refund.id.slice(1)}`,
        at: refund.created,
        type: 'refund',
        gross: -refund.amount,
        // A refund returns its fee as well.
        fee: -computeFee(refund.amount),
        source: refund.id,
      }),
    ),
  ];
}

const fundQuery = z.object({
  bill_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date'),
  tar_type: z.literal('GZIP').optional(),
  account_type: z.enum(['BASIC', 'OPERATION', 'FEES']).default('BASIC'),
});

/** The columns and sums of a fund bill, as in Tencent's documentation. */
const columns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号';
const sums = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额';

const names = {
  charge: '交易',
  refund: '退款',
  refund_failure: '退款',
  dispute: '交易',
  dispute_reversal: '交易',
  fee: '服务费',
  payout: '提现',
  payout_failure: '提现退回',
} satisfies Record<Movement['type'], string>;

/** Answers GET /v3/bill/fundflowbill: a payment and its fee are two rows. @throws WechatError */
export function fundBill(gateway: WechatGateway, params: URLSearchParams) {
  const query = parseQuery(fundQuery, params);
  requireReady(gateway, query);
  let balance = 0;
  const rows: Record<string, string>[] = [];
  let [incomes, income, expenses, expense] = [0, 0, 0, 0];
  for (const movement of query.account_type === 'BASIC' ? wechatAccount(gateway).movements() : []) {
    const { type, gross, fee } = movement;
    const parts: [kind: string, fen: number][] = [
      [names[type], gross],
      [type === 'fee' ? names.fee : '扣除交易手续费', -fee],
    ];
    for (const [kind, fen] of parts) {
      if (fen === 0) continue;
      balance += fen;
      if (toDay(movement.at) !== query.bill_date) continue;
      if (fen > 0) [incomes, income] = [incomes + 1, income + fen];
      else [expenses, expense] = [expenses + 1, expense - fen];
      rows.push(toRow(gateway, movement, { name: names[type], kind, fen, balance }));
    }
  }
  const totals = [rows.length, incomes, formatYuan(income), expenses, formatYuan(expense)].map(String);
  return publishBill(gateway, query, rows.length, formatBill(columns.split(','), rows, sums.split(','), totals));
}

type Part = { name: string; kind: string; fen: number; balance: number };

function toRow(gateway: WechatGateway, movement: Movement, { name, kind, fen, balance }: Part): Record<string, string> {
  const trade = gateway.state.trades.find((one) => one.outTradeNo === movement.paymentId);
  const refund = trade?.refunds.find(({ id }) => id === movement.source);
  return {
    记账时间: toBillTime(movement.at),
    微信支付业务单号: movement.source || movement.id,
    资金流水单号: movement.id,
    业务名称: name,
    业务类型: kind,
    收支类型: fen > 0 ? '收入' : '支出',
    '收支金额(元)': formatYuan(Math.abs(fen)),
    '账户结余(元)': formatYuan(balance),
    资金变更提交申请人: 'system',
    备注: '',
    业务凭证号: refund?.outRefundNo ?? trade?.outTradeNo ?? movement.id,
  };
}
