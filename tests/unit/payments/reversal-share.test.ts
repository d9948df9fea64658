import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeReversalShare } from '@/lib/payments/reversals/reversal-share';

describe("the wallet's share of a refund", () => {
  it('equals the refund when provider and wallet use one currency', () => {
    const charge = { amountCents: 10_000, chargeAmountMinor: 10_000 };
    expect(computeReversalShare(charge, { amountMinor: 2_500, amountCents: 2_500 }, 3_000)).toEqual({
      amountCents: 3_000,
      excessMinor: 0,
    });
  });

  it('never exceeds the payment', () => {
    const charge = { amountCents: 10_000, chargeAmountMinor: 10_000 };
    expect(computeReversalShare(charge, { amountMinor: 9_000, amountCents: 9_000 }, 3_000)).toEqual({
      amountCents: 1_000,
      excessMinor: 2_000,
    });
  });

  it('is zero when the whole payment is reversed', () => {
    const charge = { amountCents: 10_000, chargeAmountMinor: 10_000 };
    expect(computeReversalShare(charge, { amountMinor: 10_000, amountCents: 0 }, 3_000)).toEqual({
      amountCents: 0,
      excessMinor: 3_000,
    });
  });

  it('adds up to the whole in any parts and at any rate', () => {
    const money = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(
        money,
        money,
        fc.array(fc.integer({ min: 1, max: 4_000_000 }), { maxLength: 6 }),
        (cents, minor, parts) => {
          const charge = { amountCents: cents, chargeAmountMinor: minor };
          const taken = { amountMinor: 0, amountCents: 0 };
          let excess = 0;
          for (const part of [...parts, minor]) {
            const share = computeReversalShare(charge, taken, part);
            expect(share.amountCents).toBeGreaterThanOrEqual(0);
            taken.amountMinor += part;
            taken.amountCents += share.amountCents;
            excess += share.excessMinor;
          }
          expect(taken.amountCents).toBe(cents);
          expect(taken.amountMinor - excess).toBe(minor);
        },
      ),
    );
  });
});
