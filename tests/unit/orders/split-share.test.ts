import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitShare } from '@/lib/orders/placements/split';

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
