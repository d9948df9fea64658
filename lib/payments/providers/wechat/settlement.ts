import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { SettlementType } from '@/db/schema/settlement';
import { parseMoney } from '@/lib/money';
import { ProviderError } from '@/lib/payments/providers/provider';
import { parseProviderPayload } from '@/lib/payments/providers/provider-calls';
import type { SettlementReader, StatementLine } from '@/lib/payments/providers/settlement-reader';
import { dayMs } from '@/lib/platform/durations';
import { callWeChat, sendToWeChat, WeChatRefusal } from './client';
import type { WeChatAccount } from './merchant';

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
 * Reads WeChat Pay's fund bill of the basic account. Each window is one day in China, available after its bill was
 * written.
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

/**
 * A daily bill of a merchant.
 * - `trade`: payments (`SUCCESS`), refunds (`REFUND`) or both (`ALL`)
 * - `fund`: entries of one of the merchant's accounts
 */
type WeChatBill = { date: string } & (
  | { kind: 'trade'; type: 'ALL' | 'SUCCESS' | 'REFUND' }
  | { kind: 'fund'; account: 'BASIC' | 'OPERATION' | 'FEES' }
);

/** A row of a bill: its cells by column name, which is Chinese. */
export type WeChatBillRow = Readonly<Record<string, string>>;

const applySchema = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-f]{40}$/i),
  download_url: z.url({ protocol: /^https?$/ }),
});

/** The two hosts of the API; a download URL may have either. */
const liveHosts = new Set(['https://api.mch.weixin.qq.com', 'https://api2.mch.weixin.qq.com']);

const maxFileBytes = 32 * 1024 * 1024;
const maxTextBytes = 128 * 1024 * 1024;
const downloadTimeoutMs = 60_000;

/** China has one time zone and has had no daylight saving time since 1991. */
const chinaMs = 8 * 60 * 60 * 1000;
const readyHour = 10;

/**
 * Downloads a bill. The download URL comes from a signed response. The file is not signed, but the SHA-1 of its
 * decompressed text must match that response.
 * @returns the rows without the summary; empty for a day without rows; null while the bill is not available yet
 * @throws ProviderError when WeChat does not respond, or the file is incomplete or has another hash
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012810615
 */
export async function downloadWeChatBill(account: WeChatAccount, bill: WeChatBill): Promise<WeChatBillRow[] | null> {
  let response: unknown;
  try {
    response = await callWeChat(account, 'GET', getBillPath(bill));
  } catch (thrown) {
    if (!(thrown instanceof WeChatRefusal)) throw thrown;
    if (thrown.refusalCode === 'NO_STATEMENT_EXIST') return [];
    if (thrown.refusalCode === 'STATEMENT_CREATING') return null;
    throw thrown;
  }
  const { hash_value: hash, download_url: url } = parseProviderPayload('WeChat Pay', applySchema, response);
  const text = await download(account, new URL(url));
  if (createHash('sha1').update(text).digest('hex') !== hash.toLowerCase()) {
    throw new ProviderError(`WeChat Pay’s bill of ${bill.date} does not match its announced hash`);
  }
  return parseWeChatBill(text.toString('utf8'));
}

/**
 * Parses a bill: a header, rows whose cells each start with a backtick, then a header and a row of sums.
 * @throws ProviderError when the sums are missing, or a row does not match the header
 */
export function parseWeChatBill(text: string): WeChatBillRow[] {
  const [header = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  // Some bills write full-width parentheses: 收支金额（元）.
  const names = header.split(',').map((name) => name.trim().replace('（', '(').replace('）', ')'));
  const end = lines.findIndex((line) => !line.startsWith('`'));
  if (end === -1) throw new ProviderError('WeChat Pay’s bill ends before its totals');
  return lines.slice(0, end).map((line) => {
    // A cell may contain commas: only a comma before a backtick is a separator.
    const cells = line.slice(1).split(',`');
    if (cells.length !== names.length) throw new ProviderError('A row of WeChat Pay’s bill does not match its header');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim() ?? '']));
  });
}

/** Returns the date in China at a time, as YYYY-MM-DD. */
export function toChinaDay(moment: Date): string {
  return new Date(moment.getTime() + chinaMs).toISOString().slice(0, 10);
}

export function startOfChinaDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00+08:00`));
}

/**
 * Returns the end of the last day whose bill is available: yesterday in China, from 10:00 China time on; before that,
 * the day before.
 */
export function getBilledUntil(now: Date): Date {
  const readyAt = new Date(now.getTime() - readyHour * 60 * 60 * 1000);
  return startOfChinaDay(toChinaDay(readyAt));
}

/** Lists the dates in China that overlap with a time range, oldest first. */
export function listChinaDays(from: Date, until: Date): string[] {
  const days: string[] = [];
  for (let at = startOfChinaDay(toChinaDay(from)).getTime(); at < until.getTime(); at += dayMs) {
    days.push(toChinaDay(new Date(at)));
  }
  return days;
}

function getBillPath(bill: WeChatBill): string {
  const common = { bill_date: bill.date, tar_type: 'GZIP' };
  return bill.kind === 'trade'
    ? `/v3/bill/tradebill?${new URLSearchParams({ ...common, bill_type: bill.type })}`
    : `/v3/bill/fundflowbill?${new URLSearchParams({ ...common, account_type: bill.account })}`;
}

async function download(account: WeChatAccount, url: URL): Promise<Buffer> {
  const { origin } = new URL(account.baseUrl);
  if (url.origin !== origin && !(liveHosts.has(origin) && liveHosts.has(url.origin))) {
    throw new ProviderError(`WeChat Pay’s bill is on an unexpected host: ${url.host}`);
  }
  const { status, raw } = await sendToWeChat(
    { ...account, baseUrl: url.origin },
    'GET',
    `${url.pathname}${url.search}`,
    undefined,
    { timeoutMs: downloadTimeoutMs, maxBytes: maxFileBytes },
  );
  if (status !== 200) throw new ProviderError(`WeChat Pay returned ${status} for the download of a bill`);
  try {
    return gunzipSync(raw, { maxOutputLength: maxTextBytes });
  } catch (cause) {
    throw new ProviderError('WeChat Pay’s bill cannot be decompressed', { cause });
  }
}
