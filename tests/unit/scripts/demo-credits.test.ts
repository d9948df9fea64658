import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planCredits } from '@/scripts/seed/credits';

const change = fc.record({
  at: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-06-01'), noInvalidDate: true }),
  cents: fc.integer({ min: -30_000, max: 15_000 }).filter((cents) => cents !== 0),
});

it("the demo's credits pay for every order when it is placed, and leave the given balance at least", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (changes) => {
      const sorted = changes.sort((one, other) => one.at.getTime() - other.at.getTime());
      fc.pre(sorted.some(({ cents }) => cents < 0) && (sorted[0]?.cents ?? 0) < 0);
      const endsWith = 1_000_000;
      const credits = planCredits(sorted, endsWith);
      const all = [...sorted, ...credits.map(({ at, amountCents }) => ({ at, cents: amountCents }))];
      // A credit comes before the order of the same time.
      all.sort((one, other) => one.at.getTime() - other.at.getTime() || other.cents - one.cents);
      let balance = 0;
      for (const { cents } of all) {
        balance += cents;
        expect(balance).toBeGreaterThanOrEqual(0);
      }
      expect(balance).toBe(endsWith);
      for (const { amountCents } of credits.slice(1)) expect(amountCents % 5_000).toBe(0);
    }),
  );
});
