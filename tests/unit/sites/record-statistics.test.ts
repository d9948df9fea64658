import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateSurvival, getWilsonLowerBound, type Lifetimes } from '@/lib/sites/record/statistics';

const of = (days: readonly number[], isLost: boolean): Lifetimes[] =>
  days.map((one) => ({ days: one, isLost, count: 1 }));

/** Weeks in remission of the 21 patients with 6-MP (Freireich et al., Blood 21, 1963). */
const remissions = [
  ...of([6, 6, 6, 7, 10, 13, 16, 22, 23], true),
  ...of([6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35], false),
];

it.each([
  [5, 1],
  [6, 0.857],
  [7, 0.807],
  [10, 0.753],
  [13, 0.69],
  [16, 0.627],
  [22, 0.538],
  [23, 0.448],
  [35, 0.448],
])('estimates the published share of 6-MP patients in remission after %i weeks', (weeks, share) => {
  expect(estimateSurvival(remissions, weeks)).toBeCloseTo(share, 3);
});

it('knows nothing beyond the longest observation, unless all were lost', () => {
  expect(estimateSurvival(remissions, 36)).toBeNull();
  expect(estimateSurvival([], 30)).toBeNull();
  expect(estimateSurvival(of([3, 9], true), 365)).toBe(0);
});

const links = fc.array(
  fc.record({
    days: fc.integer({ min: 0, max: 400 }),
    isLost: fc.boolean(),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 30 },
);

it('gives shares that fall with time, whatever the order, and the plain share without censoring', () => {
  fc.assert(
    fc.property(links, fc.integer({ min: 0, max: 400 }), (known, day) => {
      const share = estimateSurvival(known, day);
      expect(estimateSurvival(known.toReversed(), day)).toBe(share);
      const before = estimateSurvival(known, Math.floor(day / 2));
      if (share !== null) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(before).toBeGreaterThanOrEqual(share);
      }
      const all = known.map((one) => ({ ...one, isLost: true }));
      const sum = (some: readonly Lifetimes[]) => some.reduce((total, { count }) => total + count, 0);
      expect(estimateSurvival(all, day)).toBeCloseTo(sum(all.filter(({ days }) => days > day)) / sum(all), 9);
    }),
  );
});

it.each([
  [81, 263, 0.2553],
  [15, 148, 0.0624],
  [0, 20, 0],
  [1, 29, 0.0061],
])('bounds %i of %i as Newcombe published (Statistics in Medicine 17, 1998, method 3)', (cases, n, bound) => {
  expect(getWilsonLowerBound(cases / n, n)).toBeCloseTo(bound, 4);
});

it('bounds nothing by 0, and the same share the higher the more cases it has', () => {
  expect(getWilsonLowerBound(0, 0)).toBe(0);
  expect(getWilsonLowerBound(1, 500)).toBeGreaterThan(getWilsonLowerBound(1, 5));
});
