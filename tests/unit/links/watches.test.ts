import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LinkVerdict, linkVerdicts } from '@/db/schema/links';
import { addVerdict, getNextCheckAt, type LinkChange } from '@/lib/links/watches';

const hour = 3_600_000;
const day = 24 * hour;
const start = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number) => new Date(start.getTime() + ms);

const time = fc.integer({ min: 0, max: 800 * day }).map(later);

describe('the time of the next check', () => {
  it('is later than now, within a day of the regular time, and not after the guarantee or the repair', () => {
    const repairDueAt = fc.option(time);
    fc.assert(
      fc.property(time, time, repairDueAt, fc.constantFrom(...linkVerdicts), (now, endsAt, due, verdict) => {
        const next = getNextCheckAt({ startedAt: start, repairDueAt: due }, verdict, endsAt, now);
        expect(next > now).toBe(true);
        const ends = [endsAt, due].filter((at) => at !== null).filter((at) => at > now);
        for (const end of ends) expect(next <= end).toBe(true);
        const waitMs = next.getTime() - now.getTime();
        if (verdict === 'ok') expect(waitMs).toBeLessThanOrEqual(8 * day);
        else expect(waitMs).toBeLessThan(day + hour);
        // A second result confirms the first one only after a day.
        if (verdict !== 'ok' && ends.every((end) => end > next)) expect(waitMs).toBeGreaterThanOrEqual(day);
      }),
    );
  });

  it('is on days 1, 3 and 7 and then weekly, however late a check was made', () => {
    const slots = [1, 3, 7, ...Array.from({ length: 200 }, (_, week) => 14 + 7 * week)];
    fc.assert(
      fc.property(time, (now) => {
        const next = getNextCheckAt({ startedAt: start, repairDueAt: null }, 'ok', later(2_000 * day), now);
        const days = (next.getTime() - start.getTime()) / day;
        const slot = slots.findLast((one) => one <= days) ?? 0;
        expect(days - slot).toBeLessThan(slot > 7 ? 1 : 1 / 24);
      }),
    );
  });

  it('spreads the weekly checks of many links over the day', () => {
    const hours = new Map<number, number>();
    for (let link = 0; link < 24_000; link += 1) {
      const next = getNextCheckAt({ startedAt: start, repairDueAt: null }, 'ok', later(99 * day), later(8 * day));
      hours.set(next.getUTCHours(), (hours.get(next.getUTCHours()) ?? 0) + 1);
    }
    expect(hours.size).toBe(24);
    expect(Math.max(...hours.values())).toBeLessThan(1_500);
  });
});

const unchecked = {
  verdict: null,
  checkedAt: null,
  notOkSince: null,
  brokenSince: null,
  brokenConfirmedAt: null,
  repairDueAt: null,
  remindedAt: null,
  unknownSince: null,
};

describe('what checks change about a link', () => {
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 60 }),
    verdict: fc.constantFrom<LinkVerdict>(...linkVerdicts),
  });

  it('is announced once, a loss only after two results a day apart and the time for a repair', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let findings: Parameters<typeof addVerdict>[0] = unchecked;
        let now = start;
        /** The changes since the link was in order last, and the times of the results without a link. */
        let told: LinkChange[] = [];
        let missing: Date[] = [];
        for (const { hours, verdict } of steps) {
          now = new Date(now.getTime() + hours * hour);
          const result = addVerdict(findings, verdict, 7, now);
          findings = result.findings;
          const { change } = result;
          if (verdict === 'broken') missing.push(now);
          if (verdict === 'ok' || verdict === 'changed') missing = [];
          const [first = now] = missing;
          switch (change) {
            case 'repaired':
              expect(verdict).toBe('ok');
              expect(told).not.toEqual([]);
              break;
            case 'changed':
              // Again only for a link that was announced as missing since.
              expect(told.at(-1)).not.toBe('changed');
              break;
            case 'broken':
              expect(now.getTime() - first.getTime()).toBeGreaterThanOrEqual(day);
              expect(told.at(-1)).not.toBe('broken');
              break;
            case 'repair_due':
              expect(told.at(-1)).toBe('broken');
              break;
            case 'lost':
              expect(verdict).toBe('broken');
              expect(missing.length).toBeGreaterThanOrEqual(3);
              expect(now.getTime() - first.getTime()).toBeGreaterThanOrEqual(8 * day);
              break;
            case null:
              if (verdict === 'ok') expect(told).toEqual([]);
          }
          if (change === 'lost') return;
          if (verdict === 'ok') told = [];
          else if (change) told.push(change);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
