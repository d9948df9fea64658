import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changePrice } from '@/lib/sites/own-bulk/plan';
import { ownBulkBody } from '@/lib/sites/own-bulk/schemas';
import { maxPriceCents } from '@/lib/sites/pricing/price-by-rule';
import { propertyRuns } from '@/scripts/testing/tier';

const cents = fc.integer({ min: 1, max: maxPriceCents });

describe('a bulk change of prices', () => {
  it('rounds a percentage to the nearest cent, half away from zero, and stays in the range of a price', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: -9_999, max: 100_000 }), (price, hundredths) => {
        const read = ownBulkBody.parse({ ids: [1], change: { price: { percent: hundredths / 100 } } });
        if (!read.change.price) throw new Error('No price.');
        const changed = changePrice(price, read.change.price);
        const exact = BigInt(price) * BigInt(10_000 + hundredths);
        const nearest = exact / 10_000n + (exact % 10_000n >= 5_000n ? 1n : 0n);
        const isInRange = nearest >= 1n && nearest <= BigInt(maxPriceCents);
        expect(changed).toEqual(
          isInRange ? { cents: Number(nearest) } : { reason: expect.stringMatching(/below|above/) },
        );
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('adds an amount exactly and sets one, and an absent price can only be set', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: -maxPriceCents, max: maxPriceCents }), (price, added) => {
        const sum = price + added;
        expect(changePrice(price, { cents: added })).toEqual(
          sum >= 1 && sum <= maxPriceCents ? { cents: sum } : { reason: expect.any(String) },
        );
        expect(changePrice(price, { set: price })).toEqual({ cents: price });
        expect(changePrice(null, { cents: added })).toEqual({ reason: 'The site has no price yet. Set one.' });
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it.each([
    { price: { percent: 10.001 } },
    { price: { percent: -100 } },
    { price: { percent: 1, cents: 1 } },
    { price: { percent: '10' } },
    { price: { set: 0 } },
    { price: { set: 1.5 } },
    { price: {} },
    { turnaround: '' },
    { turnaround: 'soon' },
    { language: ' ' },
    { niche: '' },
    { pause: { until: '2020-01-01' } },
    { pause: { until: '2999-01-01' } },
    { pause: {}, resume: true },
    { remove: true, niche: 'Pets' },
    { remove: false },
    { status: 'Approved' },
    {},
  ])('refuses %j', (change) => {
    expect(ownBulkBody.safeParse({ ids: [1], change }).success).toBe(false);
  });

  it.each([
    {},
    { ids: [] },
    { ids: [1], filter: {} },
    { ids: ['1'] },
    { ids: [0] },
    { filter: { status: 'Sold' } },
    { filter: { stauts: 'Approved' } },
  ])('refuses sites named by %j', (named) => {
    expect(ownBulkBody.safeParse({ ...named, change: { niche: 'Pets' } }).success).toBe(false);
  });
});
