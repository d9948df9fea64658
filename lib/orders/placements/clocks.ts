import type { orderBriefs, placements } from '../../../db/schema/placements';
import type { PlacementRules } from '../../settings/placement-rules';

type Placement = typeof placements.$inferSelect;
type Clocks = Pick<Placement, 'answerDueAt' | 'deliveryDueAt' | 'approveDueAt' | 'remindedAt'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

export const addDays = (at: Date, days: number): Date => later(at, days * dayMs);
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
  switch (placement.state) {
    case 'accepted': {
      const earliest = notBefore === null ? now : new Date(`${notBefore}T00:00:00Z`);
      const start = earliest > now ? earliest : now;
      return { deliveryDueAt: addDays(start, placement.turnaroundDays + rules.deliveryGraceDays), remindedAt: null };
    }
    case 'in_revision':
      return { deliveryDueAt: addDays(now, placement.turnaroundDays + rules.deliveryGraceDays), remindedAt: null };
    case 'delivered':
      return { approveDueAt: addDays(now, rules.approveDays) };
    default:
      return {};
  }
}

/** Returns when the job must look at a placement next: a reminder or the end of a clock; null for none. */
export function getNextActionAt(
  { state, answerDueAt, deliveryDueAt, approveDueAt, remindedAt }: Clocks & Pick<Placement, 'state'>,
  rules: PlacementRules,
  now: Date,
): Date | null {
  const remindOr = (dueAt: Date, reminderAt: Date) => (remindedAt === null && reminderAt > now ? reminderAt : dueAt);
  switch (state) {
    case 'offered':
      return remindOr(answerDueAt, addHours(answerDueAt, -rules.answerReminderHours));
    case 'accepted':
    case 'in_revision': {
      if (deliveryDueAt === null) return null;
      if (hasLateNotice({ deliveryDueAt, remindedAt })) return addDays(deliveryDueAt, rules.lateCancelDays);
      return remindOr(deliveryDueAt, addDays(deliveryDueAt, -rules.deliveryReminderDays));
    }
    case 'delivered':
      return approveDueAt;
    default:
      return null;
  }
}

/** Whether both sides were told that the delivery is late. */
const hasLateNotice = ({ deliveryDueAt, remindedAt }: Pick<Clocks, 'deliveryDueAt' | 'remindedAt'>): boolean =>
  deliveryDueAt !== null && remindedAt !== null && remindedAt >= deliveryDueAt;
