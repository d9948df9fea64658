import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeReturnedTaxCents, computeTaxCents } from '@/lib/tax/amounts';
import { assignRefunds } from '@/lib/tax/assign-refunds';
import { propertyRuns } from '@/scripts/testing/tier';

const netCents = fc.integer({ min: 1, max: 100_000_000 });
const rate = fc.integer({ min: 0, max: 10_000 });

describe('the tax that refunds return', () => {
  it('is the share of the net to the cent, and with the rest exactly what is left, in parts of any size', () => {
    fc.assert(
      fc.property(
        netCents,
        rate,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (net, at, cuts) => {
          const charge = { netCents: net, taxCents: computeTaxCents(net, at) };
          const ends = [...cuts.map((cut) => Math.round(cut * net)), net].sort((one, other) => one - other);
          let returned = { netCents: 0, taxCents: 0 };
          for (const end of ends) {
            const part = end - returned.netCents;
            const taxCents = computeReturnedTaxCents(charge, returned, part);
            expect(taxCents).toBeGreaterThanOrEqual(0);
            returned = { netCents: end, taxCents: returned.taxCents + taxCents };
            expect(Math.abs(returned.taxCents - (charge.taxCents * end) / net)).toBeLessThanOrEqual(0.500001);
          }
          expect(returned).toEqual(charge);
        },
      ),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('comes from the oldest charges, and of a paid change from its own', () => {
    const charge = (key: string, cents: number) => ({ kind: 'charge' as const, key, netCents: cents });
    const refund = (key: string, cents: number) => ({ kind: 'refund' as const, key, netCents: cents });
    const parts = assignRefunds([
      ...[charge('order:1', 100), charge('change:a', 20), charge('extension:b', 50)],
      // The change is open: its price is no part of what a settlement returns.
      ...[refund('settle:1', 130), refund('change:a:refund', 20)],
      ...[charge('change:c', 30), refund('refund:1:1', 50)],
    ]);
    expect(parts.map(({ refundKey, chargeKey, netCents: cents }) => [refundKey, chargeKey, cents])).toEqual([
      ['settle:1', 'order:1', 100],
      ['settle:1', 'extension:b', 30],
      ['change:a:refund', 'change:a', 20],
      ['refund:1:1', 'extension:b', 20],
      ['refund:1:1', 'change:c', 30],
    ]);
  });
});
