import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OptionKind, optionTopics } from '@/db/schema/site-options';
import { offeredOptionView } from '@/lib/orders/options/offered';
import { priceOffered, toggleOption } from '@/lib/orders/options/offered-price';
import { priceOption } from '@/lib/orders/options/price';
import { defaultOptionRules, type OptionRules } from '@/lib/settings/option-rules';

const withMargin = (kind: OptionKind, marginBasisPoints: number | null, minWords: number): OptionRules => ({
  ...defaultOptionRules,
  minWords,
  kinds: { ...defaultOptionRules.kinds, [kind]: { isOffered: true, marginBasisPoints } },
});

const cents = fc.integer({ min: 0, max: 1_000_000 });
const option = fc.oneof(
  fc.record({
    kind: fc.constantFrom('guarantee' as const, 'topic' as const, 'homepage' as const),
    percent: fc.integer({ min: 0, max: 300 }),
    sellerCents: fc.constant(null),
    minimumCents: fc.constant(null),
  }),
  fc.record({
    kind: fc.constantFrom('guarantee' as const, 'topic' as const, 'homepage' as const),
    percent: fc.constant(null),
    sellerCents: cents,
    minimumCents: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('writing' as const),
    percent: fc.constant(null),
    sellerCents: fc.integer({ min: 0, max: 10_000 }),
    minimumCents: cents,
  }),
);

describe('the price of an option', () => {
  it('is what the buyer was shown, is divided without a rest, and never below the share of the seller', () => {
    fc.assert(
      fc.property(
        option,
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.option(fc.integer({ min: 0, max: 100_000 })),
        fc.integer({ min: 100, max: 10_000 }),
        fc.integer({ min: 0, max: 2_000 }),
        (terms, sellerPriceCents, ownMargin, marginBasisPoints, words, minWords) => {
          const publicPriceCents = sellerPriceCents + ownMargin;
          const rules = withMargin(terms.kind, marginBasisPoints, minWords);
          const listing = { id: 1, sellerPriceCents, publicPriceCents, words: 500 };
          const price = priceOption(terms, { ...listing, words, rules });
          expect(price.sellerCents + price.marginCents).toBe(price.chargedCents);
          expect(price.sellerCents).toBeGreaterThanOrEqual(0);
          expect(price.marginCents).toBeGreaterThanOrEqual(0);
          const row = { ...terms, id: 'x', siteId: 1, days: null, topic: null, isRefused: false };
          const dates = { createdAt: new Date(), updatedAt: new Date() };
          const shown = offeredOptionView({ ...row, ...dates }, { rules, guaranteeDays: 90 }, listing);
          expect(priceOffered(shown, words)).toBe(price.chargedCents);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a percentage, of both prices', { kind: 'guarantee', percent: 15 }, { chargedCents: 1_500, sellerCents: 750 }],
    [
      'an amount, at the margin of the listing',
      { kind: 'topic', sellerCents: 333 },
      { chargedCents: 666, sellerCents: 333 },
    ],
    [
      'words, at least the minimum',
      { kind: 'writing', sellerCents: 100, minimumCents: 900 },
      { chargedCents: 1_800, sellerCents: 900 },
    ],
    ['words', { kind: 'writing', sellerCents: 201, minimumCents: 0 }, { chargedCents: 3_015, sellerCents: 1_508 }],
  ] as const)('is %s', (_, terms, expected) => {
    const full = { percent: null, sellerCents: null, minimumCents: null, ...terms };
    const basis = { sellerPriceCents: 5_000, publicPriceCents: 10_000, words: 750, rules: defaultOptionRules };
    expect(priceOption(full, basis)).toMatchObject(expected);
  });

  it('has one choice of each kind, and any number of topics', () => {
    const offered = [
      ...[
        { id: 'a', kind: 'guarantee' as const },
        { id: 'b', kind: 'guarantee' as const },
      ],
      ...optionTopics.map((topic) => ({ id: topic, kind: 'topic' as const, topic })),
    ].map((one) => ({ ...one, surchargeCents: 1 }));
    const chosen = ['a', 'casino', 'cbd', 'b', 'casino'].reduce<string[]>(
      (ids, id) => toggleOption(offered, ids, id),
      [],
    );
    expect(chosen).toEqual(['cbd', 'b']);
  });
});
