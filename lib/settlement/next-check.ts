import { type SQL, sql } from 'drizzle-orm';
import type { SettlementOutcome } from '../../db/schema/settlement';

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
