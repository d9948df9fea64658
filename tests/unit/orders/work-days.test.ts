import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addWorkDays, formatWorkDays, startClock } from '@/lib/orders/placements/clocks';
import { defaultRules } from '@/lib/settings/placement-rules';

const dayMs = 86_400_000;
const add = (at: Date, days: number) => addWorkDays(at, days, 'business');
const isBusinessDay = (at: Date) => at.getUTCDay() >= 1 && at.getUTCDay() <= 5;

/** The first time from one on that is on a business day. */
const beginOf = (at: Date): Date => {
  if (isBusinessDay(at)) return at;
  return beginOf(new Date(Math.floor(at.getTime() / dayMs + 1) * dayMs));
};

describe('business days', () => {
  const time = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    .map((milliseconds) => new Date(milliseconds));
  const days = fc.integer({ min: 0, max: 400 });

  it('are the same number of days from Monday to Friday, at the same time of the day', () => {
    fc.assert(
      fc.property(time, days, (at, count) => {
        const begin = beginOf(at);
        let end = begin;
        for (let left = count; left > 0; left -= 1)
          end = beginOf(new Date(end.getTime() + dayMs - (end.getTime() % dayMs)));
        const expected = Math.floor(end.getTime() / dayMs) * dayMs + (begin.getTime() % dayMs);
        expect(add(at, count).getTime()).toBe(expected);
        expect(isBusinessDay(add(at, count))).toBe(true);
      }),
    );
  });

  it('never end earlier for a later beginning or more days, and add up', () => {
    fc.assert(
      fc.property(time, time, days, days, (one, other, count, more) => {
        const [first, second] = one < other ? [one, other] : [other, one];
        expect(add(first, count).getTime()).toBeLessThanOrEqual(add(second, count).getTime());
        expect(add(add(one, count), more)).toEqual(add(one, count + more));
        expect(add(one, count).getTime()).toBeGreaterThanOrEqual(addWorkDays(one, count, 'calendar').getTime());
      }),
    );
  });

  it('count for the turnaround and the days after it, and for nothing else', () => {
    const friday = new Date('2026-12-04T15:00:00Z');
    const due = (dayKind: 'calendar' | 'business', notBefore: string | null = null) => {
      const rules = { ...defaultRules, dayKind, deliveryGraceDays: 2 };
      const [accepted, revised] = (['accepted', 'in_revision'] as const).map((state) =>
        startClock({ state, turnaroundDays: 3 }, rules, friday, notBefore).deliveryDueAt?.toISOString(),
      );
      expect(startClock({ state: 'delivered', turnaroundDays: 3 }, rules, friday, null).approveDueAt).toEqual(
        new Date(friday.getTime() + 7 * dayMs),
      );
      return [accepted, revised];
    };
    expect(due('calendar')).toEqual(['2026-12-09T15:00:00.000Z', '2026-12-09T15:00:00.000Z']);
    expect(due('business')).toEqual(['2026-12-11T15:00:00.000Z', '2026-12-11T15:00:00.000Z']);
    // The earliest day of the brief is a Saturday.
    expect(due('business', '2026-12-12')).toEqual(['2026-12-21T00:00:00.000Z', '2026-12-11T15:00:00.000Z']);
  });

  it('are said in words', () => {
    const words = [formatWorkDays(5, 'business'), formatWorkDays(1, 'business'), formatWorkDays(5, 'calendar')];
    expect(words).toEqual(['5 business days', '1 business day', '5 calendar days']);
  });
});
