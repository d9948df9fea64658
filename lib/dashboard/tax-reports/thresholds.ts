import { z } from 'zod';

/** The thresholds of forms 1099 from a year on. `nec` is reached by its amount, `k` is exceeded by both figures. */
type Thresholds = {
  from: number;
  nec: { amountCents: number };
  k: { amountCents: number; transactions: number };
};

const k = { amountCents: 2_000_000, transactions: 200 };

/**
 * The thresholds by calendar year, newest first. A change is a row with its first year.
 *
 * 1099-NEC: $600 (26 U.S.C. 6041(a)), from 2026 on $2,000 (Public Law 119-21, section 70433), which is adjusted for
 * inflation from 2027 on: the Internal Revenue Service publishes the amount before the year, and it is added here.
 * 1099-K: more than $20,000 and more than 200 transactions (26 U.S.C. 6050W(e), restored for earlier years by section
 * 70432).
 */
const table: readonly Thresholds[] = [
  { from: 2026, nec: { amountCents: 200_000 }, k },
  { from: 2000, nec: { amountCents: 60_000 }, k },
];

export const thresholdsResponse = z.object({
  from: z.int().describe('The year since which these thresholds hold.'),
  nec: z.object({ amountCents: z.int() }).describe('Form 1099-NEC: this amount or more, in USD cents.'),
  k: z
    .object({ amountCents: z.int(), transactions: z.int() })
    .describe('Form 1099-K: more than this amount and more than this number of transactions.'),
});

/** Returns the thresholds that hold in a year. */
export function findThresholds(year: number): Thresholds {
  const found = table.find(({ from }) => from <= year);
  if (!found) throw new RangeError(`No thresholds are known for ${year}.`);
  return found;
}
