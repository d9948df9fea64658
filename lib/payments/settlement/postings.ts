import type { SettlementOutcome, settlementLines } from '@/db/schema/settlement';
import { clearingAccount, type LedgerAccount, type Transfer } from '@/lib/ledger/post-transfer';
import { providerNames } from '@/lib/payments/providers/names';
import { getBackoffSeconds, secondsFromNow } from '@/lib/platform/leases';

export type Line = typeof settlementLines.$inferSelect;

/** Returns the account of a provider's payouts on the operator's bank account. */
const bankAccount = (provider: string): LedgerAccount => ({ kind: 'bank', owner: provider });
const feesAccount = (provider: string): LedgerAccount => ({ kind: 'fees', owner: provider });
/** Returns the account of money held in another currency than the ledger, with a balance per currency. */
const exchangeAccount = (provider: string): LedgerAccount => ({ kind: 'exchange', owner: provider });
/** Returns the account of money of other shops that a provider paid out together with ours. */
const passThroughAccount = (provider: string): LedgerAccount => ({ kind: 'pass_through', owner: provider });

/** Returns the key of a statement line; `part` distinguishes several transfers of one line. */
const getLineKey = (line: Line, what: string, part = '') => `${line.provider}:${what}:${line.reference}${part}`;

const commonFields = (line: Line) => ({
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

/**
 * Returns the accounts and amount for a signed amount. Accounts that money comes out of are negative; see
 * docs/internals/ledger.md.
 */
function toSides(amount: number, from: LedgerAccount, to: LedgerAccount) {
  return amount > 0 ? { from, to, amountCents: amount } : { from: to, to: from, amountCents: -amount };
}

/** Posts a line's fee, which reduces what the provider owes. */
export function feePostings(line: Line): Transfer[] {
  if (line.feeMinor === 0) return [];
  const sides = toSides(line.feeMinor, feesAccount(line.provider), clearingAccount(line.provider));
  const note = line.feeMinor > 0 ? 'Fee of the payment provider' : 'Fee returned by the payment provider';
  return [{ ...commonFields(line), ...sides, key: getLineKey(line, 'fee'), kind: 'provider_fee', note }];
}

/**
 * Posts a payout or a returned payout, which moves money between the provider and the bank account.
 * @param passedMinor the part that belongs to other shops, with the sign of the line's gross
 */
export function payoutPostings(line: Line, passedMinor: number): Transfer[] {
  const kind = line.type === 'payout_failure' ? 'payout_failure' : 'payout';
  const note = kind === 'payout' ? 'Payout to the bank account' : 'Payout returned by the bank';
  const bank = bankAccount(line.provider);
  const ours = line.grossMinor - passedMinor;
  const parts: [minor: number, other: LedgerAccount, part: string][] = [
    [-ours, clearingAccount(line.provider), ''],
    [-passedMinor, passThroughAccount(line.provider), ':passed'],
  ];
  return parts
    .filter(([minor]) => minor !== 0)
    .map(([minor, other, part]) => ({
      ...commonFields(line),
      ...toSides(minor, bank, other),
      key: getLineKey(line, kind, part),
      kind,
      note,
    }));
}

/** Posts one side of a currency conversion; another line has the other side. */
export function conversionPostings(line: Line): Transfer[] {
  if (line.grossMinor === 0) return [];
  const sides = toSides(-line.grossMinor, exchangeAccount(line.provider), clearingAccount(line.provider));
  return [
    {
      ...commonFields(line),
      ...sides,
      key: getLineKey(line, 'exchange'),
      kind: 'exchange',
      note: 'Converted by the provider',
    },
  ];
}

/** Posts one currency of a top-up whose money the provider holds in another currency; see book-topup.ts. */
export function exchangePosting(
  line: Line,
  {
    topupId,
    currency,
    clearingMinor,
    part,
  }: { topupId: string; currency: string; clearingMinor: number; part: number },
): Transfer {
  return {
    ...commonFields(line),
    ...toSides(clearingMinor, exchangeAccount(line.provider), clearingAccount(line.provider)),
    currency,
    key: `${line.provider}:exchange:${topupId}:${currency}:${part}`,
    kind: 'exchange',
    note: 'Kept by the provider in another currency',
    meta: { provider: line.provider, mode: line.mode, topupId },
  };
}

const backoff = { firstSeconds: 5 * 60, maxSeconds: 24 * 60 * 60 };
/** After this many checks an unmatched line is not checked again. */
const maxChecks = 40;

/** Schedules the next check of a line with exponential backoff; null once it is booked. */
export function scheduleNextCheck({ checks }: { checks: number }, outcome: SettlementOutcome) {
  if (outcome === 'booked' || checks >= maxChecks) return { nextCheckAt: null, checks };
  return { nextCheckAt: secondsFromNow(getBackoffSeconds(checks, backoff)), checks: checks + 1 };
}
