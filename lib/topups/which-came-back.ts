import type { paymentReversals } from '../../db/schema/topups';
import { isRest } from './return-in-part';

type Reversal = typeof paymentReversals.$inferSelect;
export type CameBack = { taking: Reversal; backMinor: number };

/**
 * Which of the money that disputes of one payment took is back, by what the provider gave back for those that were won.
 * What was returned before is counted off first, so that one credit is never taken for two.
 * @param disputes every dispute row of the payment, oldest first
 * @param won those of them that ended well, each with its entry in `credits`
 * @param credits minor units given back in all; `all` where nothing of the payment is missing; null where nothing is said
 */
export function whichCameBack(
  disputes: readonly Reversal[],
  won: readonly Reversal[],
  credits: readonly (number | 'all' | null)[],
): CameBack[] {
  const taken = disputes.filter(({ money }) => money === 'taken');
  if (credits.includes('all')) return taken.map((taking) => ({ taking, backMinor: taking.amountMinor }));
  const credited = won.map((ending, index) => ({ ending, minor: Number(credits[index] ?? 0) }));
  let left = credited.reduce((sum, { minor }) => sum + minor, 0) - returnedMinor(disputes);
  const open = taken.filter((taking) => credited.some(({ ending, minor }) => minor > 0 && isNotAfter(taking, ending)));
  const same = open.find(({ amountMinor }) => amountMinor === left);
  if (same) return [{ taking: same, backMinor: left }];
  const back: CameBack[] = [];
  for (const taking of open) {
    const backMinor = Math.min(taking.amountMinor, left);
    if (backMinor <= 0) break;
    back.push({ taking, backMinor });
    left -= backMinor;
  }
  return back;
}

/** A dispute gives back nothing that was taken after it ended. By the provider's clock: it tells in any order. */
const isNotAfter = (taking: Reversal, ending: Reversal): boolean =>
  taking.happenedAt === null || ending.happenedAt === null || taking.happenedAt <= ending.happenedAt;

/** What came back so far: a part that came back was booked as all, of which the rest was taken anew. */
function returnedMinor(disputes: readonly Reversal[]): number {
  let sum = 0;
  for (const one of disputes) {
    if (one.money === 'returned') sum += one.amountMinor;
    if (isRest(one)) sum -= one.amountMinor;
  }
  return sum;
}
