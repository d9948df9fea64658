import { type SQL, sql } from 'drizzle-orm';
import type { SettlementOutcome, settlementLines } from '@/db/schema/settlement';
import { clearingOf, type LedgerAccount, type Transfer } from '../../ledger/post-transfer';
import { providerNames } from '../providers/names';

export type Line = typeof settlementLines.$inferSelect;

/** Money from a provider on the operator's bank account. */
const bankOf = (provider: string): LedgerAccount => ({ kind: 'bank', owner: provider });
/** What a provider charged for its services. */
const feesOf = (provider: string): LedgerAccount => ({ kind: 'fees', owner: provider });
/** The two sides of money that a provider keeps in another currency than the books: one account, a balance a currency. */
const exchangeOf = (provider: string): LedgerAccount => ({ kind: 'exchange', owner: provider });
/** Money of other shops that a provider paid out together with ours. */
const passThroughOf = (provider: string): LedgerAccount => ({ kind: 'pass_through', owner: provider });

/** Names the line of the statement; `part` where it leads to more than one transfer. */
const keyOf = (line: Line, what: string, part = '') => `${line.provider}:${what}:${line.reference}${part}`;

const commonOf = (line: Line) => ({
  currency: line.currency,
  method: providerNames[line.provider],
  meta: {
    provider: line.provider,
    mode: line.mode,
    settlementLine: line.id,
    reference: line.reference,
    ...(line.topupId !== null && { topupId: line.topupId }),
  },
});

/** Moves a signed amount; accounts that money comes out of are the negative ones, see docs/ledger.md. */
function signed(amount: number, from: LedgerAccount, to: LedgerAccount) {
  return amount > 0 ? { from, to, amountCents: amount } : { from: to, to: from, amountCents: -amount };
}

/** The fee of a line: the provider owes that much less. */
export function feePostings(line: Line): Transfer[] {
  if (line.feeMinor === 0) return [];
  const sides = signed(line.feeMinor, feesOf(line.provider), clearingOf(line.provider));
  const note = line.feeMinor > 0 ? 'Fee of the payment provider' : 'Fee returned by the payment provider';
  return [{ ...commonOf(line), ...sides, key: keyOf(line, 'fee'), kind: 'provider_fee', note }];
}

/**
 * A payout, or its return: the provider owes less, and the bank account holds more.
 * @param passedMinor the part that is money of other shops, signed as the line's gross
 */
export function payoutPostings(line: Line, passedMinor: number): Transfer[] {
  const kind = line.type === 'payout_failure' ? 'payout_failure' : 'payout';
  const note = kind === 'payout' ? 'Payout to the bank account' : 'Payout returned by the bank';
  const bank = bankOf(line.provider);
  const ours = line.grossMinor - passedMinor;
  const parts: [minor: number, other: LedgerAccount, part: string][] = [
    [-ours, clearingOf(line.provider), ''],
    [-passedMinor, passThroughOf(line.provider), ':passed'],
  ];
  return parts
    .filter(([minor]) => minor !== 0)
    .map(([minor, other, part]) => ({
      ...commonOf(line),
      ...signed(minor, bank, other),
      key: keyOf(line, kind, part),
      kind,
      note,
    }));
}

/** The provider converted money: it owes less of one currency and, by another line, more of the other. */
export function conversionPostings(line: Line): Transfer[] {
  if (line.grossMinor === 0) return [];
  const sides = signed(-line.grossMinor, exchangeOf(line.provider), clearingOf(line.provider));
  return [
    { ...commonOf(line), ...sides, key: keyOf(line, 'exchange'), kind: 'exchange', note: 'Converted by the provider' },
  ];
}

/** One currency of a top-up whose money the provider keeps in another one: see book-topup.ts. */
export function exchangePosting(
  line: Line,
  asked: { topupId: string; currency: string; clearingMinor: number; part: number },
): Transfer {
  const { topupId, currency, clearingMinor, part } = asked;
  return {
    ...commonOf(line),
    ...signed(clearingMinor, exchangeOf(line.provider), clearingOf(line.provider)),
    currency,
    key: `${line.provider}:exchange:${topupId}:${currency}:${part}`,
    kind: 'exchange',
    note: 'Kept by the provider in another currency',
    meta: { provider: line.provider, mode: line.mode, topupId },
  };
}

const firstWaitMinutes = 5;
const longestWaitMinutes = 24 * 60;
/** A line that belongs to no top-up by then will not any more. */
const mostChecks = 40;

/** When a line is looked at again: later each time, and not after it is booked. */
export function nextCheck(
  { checks }: { checks: number },
  outcome: SettlementOutcome,
): { nextCheckAt: SQL | null; checks: number } {
  if (outcome === 'booked' || checks >= mostChecks) return { nextCheckAt: null, checks };
  const minutes = Math.min(firstWaitMinutes * 2 ** Math.min(checks, 10), longestWaitMinutes);
  return { nextCheckAt: sql`now() + make_interval(mins => ${minutes})`, checks: checks + 1 };
}
