import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies, type RateCurrency } from '@/lib/money';
import {
  type CommissionRule,
  findRule,
  maxPriceCents,
  type PricedSite,
  priceByRule,
  priceOnApproval,
  priceWithMargin,
} from '@/lib/sites/pricing/price-by-rule';
import { nicheKey } from '@/lib/taxonomy/contract';

const rates = new Map<RateCurrency, number>([
  ['EUR', 1_085_000],
  ['GBP', 1_270_001],
  ['INR', 11_900],
]);

let made = 0;
const rule = (values: Partial<CommissionRule>): CommissionRule => ({
  ...{ id: `rule${made++}`, sellerId: null, niche: null, currency: null, marginBasisPoints: 2_500, minimumCents: 0 },
  ...{ version: 1, createdAt: new Date(0), updatedAt: new Date(0), ...values },
  nicheKey: values.niche ? nicheKey(values.niche) : null,
});

const site: PricedSite = { ownerId: 'ann', niche: 'Casino', publicCurrency: 'EUR', sellerPriceCents: 10_000 };

const scopes = fc.record({
  sellerId: fc.constantFrom(null, 'ann', 'bob'),
  niche: fc.constantFrom(null, 'Casino', 'SEO'),
  currency: fc.constantFrom(null, 'EUR' as const, 'USD' as const),
});

describe('a price by a commission rule', () => {
  it.each([
    [1_000, 2_500, 1_250],
    [99, 0, 99],
    [1, 5_000, 2],
    [333, 3_333, 444],
    [10_005, 1_000, 11_006],
  ])('adds the percentage rounded half up: %d at %d basis points is %d', (seller, margin, price) =>
    expect(priceWithMargin(seller, margin)).toBe(price),
  );

  it('is exact to half a cent, never below the seller’s price or the minimum margin, and grows with each of them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maxPriceCents }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom(...currencies),
        fc.boolean(),
        (sellerPriceCents, marginBasisPoints, minimumCents, publicCurrency, isOwnCurrency) => {
          const priceOf = (cents: number, margin: number, minimum: number) => {
            const currency = isOwnCurrency ? publicCurrency : null;
            const rules = [rule({ marginBasisPoints: margin, minimumCents: minimum, currency })];
            return priceByRule({ rates, rules }, { ...site, publicCurrency, sellerPriceCents: cents });
          };
          const priced = priceOf(sellerPriceCents, marginBasisPoints, minimumCents);
          if ('problem' in priced) {
            const hasRate = publicCurrency === 'USD' || rates.has(publicCurrency);
            expect(priced.problem).toBe(hasRate ? 'out-of-range' : 'no-rate');
            return;
          }
          const exact = BigInt(sellerPriceCents) * BigInt(10_000 + marginBasisPoints);
          const difference = BigInt(priceWithMargin(sellerPriceCents, marginBasisPoints)) * 10_000n - exact;
          expect(difference > -5_000n && difference <= 5_000n).toBe(true);
          const rate = BigInt(publicCurrency === 'USD' || isOwnCurrency ? 1_000_000 : (rates.get(publicCurrency) ?? 0));
          const marginCents = priced.priceCents - sellerPriceCents;
          // At least the minimum, converted: the margin at the rate is never less.
          expect(BigInt(marginCents) * rate >= BigInt(minimumCents) * 1_000_000n).toBe(true);
          expect(priced.priceCents).toBeGreaterThanOrEqual(priceWithMargin(sellerPriceCents, marginBasisPoints));
          const more = [
            priceOf(sellerPriceCents + 1, marginBasisPoints, minimumCents),
            priceOf(sellerPriceCents, marginBasisPoints + 1, minimumCents),
            priceOf(sellerPriceCents, marginBasisPoints, minimumCents + 1),
          ];
          for (const one of more)
            expect('problem' in one || one.priceCents >= priced.priceCents, JSON.stringify(one)).toBe(true);
        },
      ),
    );
  });

  it('takes the most specific rule in any order: seller before niche before currency', () => {
    const weigh = ({ sellerId, niche, currency }: CommissionRule) =>
      [sellerId, niche, currency].map((value) => (value === null ? '0' : '1')).join('');
    fc.assert(
      fc.property(
        fc.uniqueArray(scopes, { selector: (scope) => JSON.stringify(scope) }),
        fc.integer({ min: 0, max: 100 }),
        (list, turn) => {
          const rules = list.map(rule);
          const matching = rules.filter(
            ({ sellerId, niche, currency }) => sellerId !== 'bob' && niche !== 'SEO' && currency !== 'USD',
          );
          const best = matching.toSorted((one, other) => weigh(other).localeCompare(weigh(one)))[0];
          const turned = [...rules.slice(turn % (rules.length || 1)), ...rules.slice(0, turn % (rules.length || 1))];
          expect(findRule(turned, site)?.id).toBe(best?.id);
        },
      ),
    );
  });

  it.each([
    ['casino', 'Casino'],
    ['Health and Fitness', 'Health & Fitness'],
  ])('matches the niche %s of a rule with %s of a site', (one, other) => {
    expect(findRule([rule({ niche: one })], { ...site, niche: other })).toBeDefined();
  });

  it.each([
    ['no-seller-price', { ...site, sellerPriceCents: null }, [rule({})]],
    ['no-rule', site, [rule({ currency: 'USD' })]],
    ['no-rate', { ...site, publicCurrency: 'CAD' } as const, [rule({})]],
    ['out-of-range', { ...site, sellerPriceCents: maxPriceCents }, [rule({})]],
    // A hundredth of a rupee is less than one US cent.
    ['out-of-range', { ...site, publicCurrency: 'INR', sellerPriceCents: 1 } as const, [rule({})]],
  ])('does not exist: %s', (problem, one, rules) => {
    expect(priceByRule({ rates, rules }, one)).toEqual({ problem });
  });
});

describe('an approval', () => {
  const pricing = { rates, rules: [rule({})] };
  const none = { rates, rules: [] };
  const stale = { ...site, publicPriceCents: 9_000, isPriceStale: true };
  const priced = { publicPriceCents: 12_500, adminPriceCents: 12_500 };
  it.each([
    ['prices a site without a price', pricing, { ...stale, publicPriceCents: null, isPriceStale: false }, {}, priced],
    ['prices a site whose seller changed the price', pricing, stale, {}, priced],
    ['keeps a price that is not stale', pricing, { ...stale, isPriceStale: false }, {}, {}],
    ['keeps a price of the same change', pricing, stale, { publicPriceCents: 11_000 }, {}],
    ['keeps an admin price of the same change', pricing, stale, { adminPriceCents: 7 }, { publicPriceCents: 12_500 }],
    [
      'treats an emptied price as none',
      pricing,
      { ...stale, publicPriceCents: null },
      { publicPriceCents: null },
      priced,
    ],
    ['removes a stale price below the seller’s without a rule', none, stale, {}, { publicPriceCents: null }],
    ['keeps a stale price above the seller’s without a rule', none, { ...stale, publicPriceCents: 10_000 }, {}, {}],
  ])('%s', (_what, rules, before, requested, changes) => {
    expect(priceOnApproval(rules, before, requested).changes).toEqual(changes);
  });
});
