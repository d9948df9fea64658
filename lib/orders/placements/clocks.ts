import type { orderBriefs, placements } from '@/db/schema/placements';
import type { DayKind, PlacementRules } from '@/lib/settings/placement-rules';

type Placement = typeof placements.$inferSelect;
type Clocks = Pick<Placement, 'answerDueAt' | 'deliveryDueAt' | 'approveDueAt' | 'remindedAt'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

export const addDays = (at: Date, days: number): Date => later(at, days * dayMs);
/** The days of the week without business days, as `getUTCDay` numbers them. */
const [saturday, sunday] = [6, 0];

/** Adds days of work: calendar days, or from Monday to Friday in UTC. A weekend does not count at the beginning either. */
export function addWorkDays(at: Date, days: number, kind: DayKind): Date {
  if (kind === 'calendar') return addDays(at, days);
  const start = isWeekend(at) ? beginMonday(at) : at;
  const left = addDays(start, 7 * Math.floor(days / 5));
  const end = addDays(left, days % 5);
  // From Friday to Monday the number of the day falls.
  return isWeekend(end) || end.getUTCDay() < left.getUTCDay() ? addDays(end, 2) : end;
}

const isWeekend = (at: Date) => at.getUTCDay() === saturday || at.getUTCDay() === sunday;

function beginMonday(at: Date): Date {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return addDays(new Date(midnight), at.getUTCDay() === saturday ? 2 : 1);
}

export const addHours = (at: Date, hours: number): Date => later(at, hours * hourMs);

/**
 * Starts the clock of a state that a placement enters.
 * @param notBefore the earliest day of publication of the brief; the turnaround begins no earlier
 */
export function startClock(
  placement: Pick<Placement, 'state' | 'turnaroundDays'>,
  rules: PlacementRules,
  now: Date,
  notBefore: (typeof orderBriefs.$inferSelect)['notBefore'],
): Partial<Clocks> {
  const addWork = (at: Date) => addWorkDays(at, placement.turnaroundDays + rules.deliveryGraceDays, rules.dayKind);
  switch (placement.state) {
    case 'accepted': {
      const earliest = notBefore === null ? now : new Date(`${notBefore}T00:00:00Z`);
      return { deliveryDueAt: addWork(earliest > now ? earliest : now), remindedAt: null };
    }
    case 'in_revision':
      return { deliveryDueAt: addWork(now), remindedAt: null };
    case 'delivered':
      return { approveDueAt: addDays(now, rules.approveDays) };
    default:
      return {};
  }
}

/** What the job does when a clock has run down. */
export type ClockAction = 'reminded' | 'expired' | 'became_late' | 'cancelled' | 'approved';
type Alarm = { at: Date; action: ClockAction };

/** Lists what a placement waits for in its state, earliest first. */
function listAlarms(
  { state, answerDueAt, deliveryDueAt, approveDueAt, remindedAt }: Clocks & Pick<Placement, 'state'>,
  rules: PlacementRules,
): Alarm[] {
  const reminder = (at: Date): Alarm[] => (remindedAt === null ? [{ at, action: 'reminded' }] : []);
  switch (state) {
    case 'offered':
      return [...reminder(addHours(answerDueAt, -rules.answerReminderHours)), { at: answerDueAt, action: 'expired' }];
    case 'accepted':
    case 'in_revision': {
      if (deliveryDueAt === null) return [];
      // The notice that it is late counts as a reminder.
      const hasLateNotice = remindedAt !== null && remindedAt >= deliveryDueAt;
      return [
        ...reminder(addDays(deliveryDueAt, -rules.deliveryReminderDays)),
        ...(hasLateNotice ? [] : [{ at: deliveryDueAt, action: 'became_late' as const }]),
        { at: addDays(deliveryDueAt, rules.lateCancelDays), action: 'cancelled' },
      ];
    }
    case 'delivered':
      return approveDueAt === null ? [] : [{ at: approveDueAt, action: 'approved' }];
    default:
      return [];
  }
}

/** Returns what is due; the last, if several are. Null if nothing is. */
export const getDueAction = (
  placement: Clocks & Pick<Placement, 'state'>,
  rules: PlacementRules,
  now: Date,
): ClockAction | null => listAlarms(placement, rules).findLast(({ at }) => at <= now)?.action ?? null;

/** Returns when the job must look at a placement next; null for never. A reminder whose time has passed is left out. */
export function getNextActionAt(
  placement: Clocks & Pick<Placement, 'state'>,
  rules: PlacementRules,
  now: Date,
): Date | null {
  const due = getDueAction(placement, rules, now);
  if (due !== null && due !== 'reminded') return now;
  return listAlarms(placement, rules).find(({ at }) => at > now)?.at ?? null;
}

/** Formats a number of days of work in words: "5 business days", "1 calendar day". */
export const formatWorkDays = (days: number, kind: DayKind): string => `${days} ${kind} ${days === 1 ? 'day' : 'days'}`;
