import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import {
  type AccountMonth,
  type EarningEntry,
  findAccount,
  getMonths,
  listEntries,
  type Reader,
  type SellerAccount,
  scopeOfMonth,
  sellerAccounts,
  streamEntries,
} from './accounts';

export type { EarningEntry, SellerAccount } from './accounts';

/** The money of a seller in one month (UTC). Amounts in USD cents, none negative. */
export type EarningMonth = {
  /** YYYY-MM. */
  month: string;
  earnedCents: number;
  /** What settlements and lost links returned to buyers. */
  returnedCents: number;
  /** What became payable. */
  ripenedCents: number;
  /** What was earned and not payable at the end of the month. */
  balanceCents: number;
};

/** Returns what a seller has earned: the current balance in USD cents, and the months, newest first. */
export async function getEarnings(sellerId: string): Promise<{ balanceCents: number; months: EarningMonth[] }> {
  const account = await findAccount(sellerId, 'pending', db());
  if (!account) return { balanceCents: 0, months: [] };
  let balanceCents = 0;
  const months = (await getMonths(account, db())).map(({ month, in: earned, out, ripened }) => {
    balanceCents += earned - out;
    return { month, earnedCents: earned, returnedCents: out - ripened, ripenedCents: ripened, balanceCents };
  });
  return { balanceCents, months: months.reverse() };
}

/** A month of both accounts. */
export type MoneyMonth = Omit<EarningMonth, 'balanceCents'> & {
  /** What payouts took from the balance, without those that failed, were withdrawn or returned in the month. */
  paidOutCents: number;
  /** What could be paid out at the end of the month. */
  availableCents: number;
};

/** Returns the months with entries in one of the accounts of a seller, newest first. */
export async function getMoneyMonths(sellerId: string): Promise<MoneyMonth[]> {
  const read = async (name: SellerAccount) => {
    const account = await findAccount(sellerId, name, db());
    return new Map(account ? (await getMonths(account, db())).map((row) => [row.month, row]) : []);
  };
  const [pending, available] = await Promise.all([read('pending'), read('available')]);
  let availableCents = 0;
  const months = [...new Set([...pending.keys(), ...available.keys()])].sort().map((month) => {
    const { in: earned = 0, out = 0, ripened = 0 } = pending.get(month) ?? {};
    const { in: added = 0, out: requested = 0, ripened: payable = 0 } = available.get(month) ?? {};
    availableCents += added - requested;
    return {
      month,
      earnedCents: earned,
      returnedCents: out - ripened,
      ripenedCents: ripened,
      paidOutCents: requested - (added - payable),
      availableCents,
    };
  });
  return months.reverse();
}

const monthField = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter the month as YYYY-MM.');
const accountField = z.enum(sellerAccounts, 'Choose available or pending.');

/** The filter of a statement: one month (YYYY-MM), or all; and the account. */
export const statementFilter = z.object({ month: monthField.optional(), account: accountField.default('pending') });
type StatementFilter = { month?: string | undefined; account?: SellerAccount | undefined };

/** The query of GET /api/seller/statement. */
export const monthlyStatementQuery = z.object({
  month: monthField.default(() => new Date().toISOString().slice(0, 7)),
  account: accountField.default('available'),
});

/** Lists a page of a seller's statement, newest first, with the exact number of entries. */
export async function listEarningEntries(
  sellerId: string,
  { month, account = 'pending', ...page }: StatementFilter & PageRequest,
): Promise<CursorPage<EarningEntry> & { total: number }> {
  const scope = await findScope(sellerId, { month, account }, db());
  // The cursor of another list.
  const isForeign = page.cursor && 'id' in page.cursor && !/^\d{1,9}$/.test(page.cursor.id);
  if (!scope || isForeign) return { rows: [], next: null, previous: null, total: scope?.total ?? 0 };
  const found = await readIdPage(sql`id`, page, (range) => listEntries(scope, range, db()));
  return { ...found, total: scope.total };
}

async function findScope(sellerId: string, { month, account: name = 'pending' }: StatementFilter, on: Reader) {
  const account = await findAccount(sellerId, name, on);
  if (!account) return null;
  if (month === undefined) return { account, where: undefined, total: account.entries };
  const found = (await getMonths(account, on)).find((row) => row.month === month);
  return found ? scopeOfMonth(account, found) : null;
}

/**
 * Returns the balances of an account at the start and the end of a month (YYYY-MM), in USD cents, and its entries as a
 * scope for `streamEntries`; null without any.
 */
export async function getMonthlyStatement(
  sellerId: string,
  { month, account: name }: z.output<typeof monthlyStatementQuery>,
  on: Reader = db(),
) {
  const account = await findAccount(sellerId, name, on);
  const months = account ? await getMonths(account, on) : [];
  const openingCents = sumUntil(months, (row) => row.month < month);
  const found = months.find((row) => row.month === month);
  return {
    month,
    account: name,
    openingCents,
    closingCents: sumUntil(months, (row) => row.month <= month),
    scope: account && found ? scopeOfMonth(account, found) : null,
  };
}

const sumUntil = (months: AccountMonth[], isIncluded: (row: AccountMonth) => boolean): number =>
  months.filter(isIncluded).reduce((sum, row) => sum + row.in - row.out, 0);

const amountOf = (kind: EarningEntry['kind']) => (entry: EarningEntry) =>
  entry.kind === kind ? toDecimalString(entry.amountCents) : '';
const balanceOf = ({ balanceCents }: EarningEntry) => toDecimalString(balanceCents);

const firstColumns: readonly CsvColumn<EarningEntry>[] = [
  ['Entry', (entry) => entry.id],
  ['Time (UTC)', (entry) => entry.at],
  ['Order', (entry) => entry.orderId],
  ['Website', (entry) => entry.website],
];

// A column for each kind of entry, because spreadsheets may take a leading minus sign for a formula.
const columns: Record<SellerAccount, readonly CsvColumn<EarningEntry>[]> = {
  pending: [
    ...firstColumns,
    ['Earned (USD)', amountOf('earned')],
    ['Returned (USD)', amountOf('returned')],
    ['Payable (USD)', amountOf('ripened')],
    ['Not payable yet (USD)', balanceOf],
  ],
  available: [
    ...firstColumns,
    ['Payout', (entry) => entry.payoutId],
    ['Became available (USD)', amountOf('ripened')],
    ['Payout requested (USD)', amountOf('payout')],
    ['Payout returned (USD)', amountOf('payout_returned')],
    ['Available (USD)', balanceOf],
  ],
};

/** Generates a seller's statement as CSV (RFC 4180), newest first, in batches. */
export function exportEarnings(
  sellerId: string,
  { month, account = 'pending' }: StatementFilter,
  on: Reader = db(),
): AsyncGenerator<string> {
  async function* batches() {
    const scope = await findScope(sellerId, { month, account }, on);
    if (scope) yield* streamEntries(scope, 'newest', on);
  }
  return generateCsv(columns[account], batches());
}
