import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePercent, splitLoss, splitSettlement, splitShare } from '@/lib/orders/placements/shares';

const half = Math.floor(Number.MAX_SAFE_INTEGER / 2);
const cents = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: half }));
const percent = fc.integer({ min: 0, max: 100 });

describe('the split of a settlement', () => {
  it('adds up to the charge for every percentage and any amounts', () => {
    fc.assert(
      fc.property(cents, cents, percent, (sellerCents, marginCents, buyerPercent) => {
        const split = splitShare({ sellerCents, marginCents }, buyerPercent);
        expect(split.sellerCents + split.sellerReturnedCents).toBe(sellerCents);
        expect(split.marginCents + split.marginReturnedCents).toBe(marginCents);
        expect(split.buyerCents).toBe(split.sellerReturnedCents + split.marginReturnedCents);
        for (const part of Object.values(split)) expect(Number.isSafeInteger(part) && part >= 0).toBe(true);
      }),
    );
  });

  it('gives the odd cents to the buyer: less than one cent of each share', () => {
    fc.assert(
      fc.property(cents, cents, percent, (sellerCents, marginCents, buyerPercent) => {
        const split = splitShare({ sellerCents, marginCents }, buyerPercent);
        const isRoundedDown = (whole: number, kept: number) => {
          const exact = BigInt(whole) * BigInt(100 - buyerPercent);
          return BigInt(kept) * 100n <= exact && exact < (BigInt(kept) + 1n) * 100n;
        };
        expect(isRoundedDown(sellerCents, split.sellerCents)).toBe(true);
        expect(isRoundedDown(marginCents, split.marginCents)).toBe(true);
      }),
    );
  });

  it('returns nothing at 0 % and everything at 100 %', () => {
    const shares = { sellerCents: 101, marginCents: 33 };
    expect(splitShare(shares, 0)).toMatchObject({ buyerCents: 0, sellerCents: 101, marginCents: 33 });
    expect(splitShare(shares, 100)).toMatchObject({ buyerCents: 134, sellerCents: 0, marginCents: 0 });
    expect(splitShare(shares, 50)).toMatchObject({ buyerCents: 68, sellerCents: 50, marginCents: 16 });
  });

  it.each([-1, 101, 0.5, Number.NaN])('rejects %d percent', (buyerPercent) => {
    expect(() => splitShare({ sellerCents: 1, marginCents: 1 }, buyerPercent)).toThrow(RangeError);
  });
});

describe('the split of a placement that ripens', () => {
  it.each([
    ['nothing is ripe', 0, { buyerCents: 75, sellerReturnedCents: 50, marginReturnedCents: 25 }],
    ['the rest covers the part of the buyer', 50, { buyerCents: 75, sellerReturnedCents: 50, marginReturnedCents: 25 }],
    ['the margin covers what is ripe', 60, { buyerCents: 75, sellerReturnedCents: 40, marginReturnedCents: 35 }],
    ['the margin does not suffice', 80, { buyerCents: 70, sellerReturnedCents: 20, marginReturnedCents: 50 }],
    ['everything is ripe', 100, { buyerCents: 50, sellerReturnedCents: 0, marginReturnedCents: 50 }],
  ])('keeps what is ripe for the seller in a settlement: %s', (_, ripenedCents, split) => {
    expect(splitSettlement({ sellerCents: 100, marginCents: 50, ripenedCents }, 50)).toMatchObject(split);
  });

  it.each([
    [
      { sellerCents: 100, marginCents: 33, ripenedCents: 0 },
      { buyerCents: 133, sellerCents: 0, marginCents: 0 },
    ],
    [
      { sellerCents: 100, marginCents: 33, ripenedCents: 50 },
      { buyerCents: 67, sellerCents: 50, marginCents: 16 },
    ],
    [
      { sellerCents: 100, marginCents: 33, ripenedCents: 100 },
      { buyerCents: 0, sellerCents: 100, marginCents: 33 },
    ],
    [
      { sellerCents: 0, marginCents: 33, ripenedCents: 0 },
      { buyerCents: 33, sellerCents: 0, marginCents: 0 },
    ],
  ])('returns what is not ripe after a loss, with its margin: %j', (placement, split) => {
    expect(splitLoss(placement)).toMatchObject(split);
  });
});

it.each([
  ['0', 0],
  [' 50 ', 50],
  ['100', 100],
  ['101', null],
  ['-1', null],
  ['0.5', null],
  ['', null],
  [' ', null],
  ['x', null],
])('%j is the share %j', (text, percent) => {
  expect(parsePercent(text)).toBe(percent);
});
