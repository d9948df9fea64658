import type { SettlementType } from '@/db/schema/settlement';
import { parseMoney } from '@/lib/money';
import { ProviderError } from '@/lib/payments/providers/provider';
import type { SettlementReader, StatementLine } from '@/lib/payments/providers/settlement-reader';
import type { WeChatAccount } from './account';
import { downloadWeChatBill, getBilledUntil, startOfChinaDay, toChinaDay, type WeChatBillRow } from './bills';

const dayMs = 24 * 60 * 60 * 1000;
/** WeChat stores bills for three months. */
const retentionMs = 88 * dayMs;

/**
 * Settlement types by 业务类型 (business type): payments, refunds, fees charged and returned, withdrawals to the bank, and
 * returned withdrawals.
 */
const types: readonly [part: string, type: SettlementType][] = [
  ['手续费', 'fee'],
  ['服务费', 'fee'],
  ['提现失败', 'payout_failure'],
  ['提现退回', 'payout_failure'],
  ['提现退票', 'payout_failure'],
  ['提现', 'payout'],
  ['充值', 'payout'],
  ['退款', 'refund'],
  ['交易', 'charge'],
];

/**
 * WeChat Pay's fund bill of the basic account. Each window is one day in China, available after its bill was written.
 */
export function weChatSettlement(account: WeChatAccount): SettlementReader {
  return {
    earliest: (now) => startOfChinaDay(toChinaDay(new Date(now.getTime() - retentionMs))),
    nextWindow(readUntil, now) {
      const from = startOfChinaDay(toChinaDay(readUntil));
      const until = new Date(from.getTime() + dayMs);
      return until <= getBilledUntil(now) ? { from, until } : null;
    },
    async read({ from }) {
      const date = toChinaDay(from);
      const rows = await downloadWeChatBill(account, { date, kind: 'fund', account: 'BASIC' });
      if (rows === null) throw new ProviderError(`WeChat Pay has not published the fund bill of ${date} yet`);
      return { lines: rows.map(toStatementLine), next: null, openSince: null };
    },
  };
}

function toStatementLine(row: WeChatBillRow): StatementLine {
  const cell = (name: string): string => {
    const value = row[name];
    if (value === undefined) throw new ProviderError(`WeChat Pay’s fund bill has no column ${name}`);
    return value;
  };
  const kind = cell('业务类型');
  const name = cell('业务名称');
  const type = types.find(([part]) => kind.includes(part))?.[1] ?? types.find(([part]) => name.includes(part))?.[1];
  const fen = parseMoney(cell('收支金额(元)'));
  if (fen === null) throw new ProviderError('WeChat Pay’s fund bill has an invalid amount');
  const signed = cell('收支类型') === '收入' ? fen : -fen;
  const occurredAt = new Date(`${cell('记账时间').replace(' ', 'T')}+08:00`);
  if (Number.isNaN(occurredAt.getTime())) throw new ProviderError('WeChat Pay’s fund bill has an invalid time');
  const business = cell('微信支付业务单号');
  return {
    // A payment and its fee may have the same flow number, so the type is part of the reference.
    reference: `${cell('资金流水单号')}:${kind}`,
    type: type ?? 'other',
    providerType: kind,
    grossMinor: type === 'fee' ? 0 : signed,
    feeMinor: type === 'fee' ? -signed : 0,
    currency: 'CNY',
    source: business,
    // Account fees, e.g. for a withdrawal, belong to no payment.
    paymentReference: type === 'charge' || kind.includes('交易手续费') ? business : null,
    // For a payment this is the out_trade_no, the top-up's id; for a refund the merchant's refund number.
    topupId: cell('业务凭证号') || null,
    occurredAt,
    availableOn: null,
  };
}
