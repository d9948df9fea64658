import type { siteOptions } from '@/db/schema/site-options';
import type { OptionRules } from '@/lib/settings/option-rules';
import { priceWithMargin } from '@/lib/sites/pricing/price-by-rule';
import { multiply, priceWords } from './offered-price';

export type OptionTerms = Pick<typeof siteOptions.$inferSelect, 'kind' | 'sellerCents' | 'percent' | 'minimumCents'>;

export type PricingBasis = {
  /** The two prices of the placement, of which a percentage is. The seller's is positive and not above the public one. */
  sellerPriceCents: number;
  publicPriceCents: number;
  /** The number of words of an article; null for another kind. */
  words: number | null;
  rules: OptionRules;
};

/** What an option costs and how it is divided, in USD cents: `chargedCents` is the sum of the shares. */
export type OptionPrice = { chargedCents: number; sellerCents: number; marginCents: number };

/**
 * Prices an option. A percentage is of the seller's and of the public price; for an amount, the buyer pays the seller's
 * amount times the ratio of the two prices. A margin of the operator for the kind replaces both. Prices are rounded half
 * up to the cent; an article is priced by the rounded prices of 100 words, which buyers see.
 */
export function priceOption(option: OptionTerms, basis: PricingBasis): OptionPrice {
  const { kind, percent, minimumCents } = option;
  const { sellerPriceCents, rules, words } = basis;
  const sellerCents = percent === null ? (option.sellerCents ?? 0) : multiply(sellerPriceCents, percent, 100);
  const unit = { sellerCents, chargedCents: chargeFor(option, sellerCents, basis) };
  if (kind !== 'writing') return withMargin(unit.chargedCents, unit.sellerCents);
  const leastCents = minimumCents ?? 0;
  const priceOf = (per100WordsCents: number, least: number) =>
    priceWords(words ?? 0, { per100WordsCents, minimumCents: least, minWords: rules.minWords });
  return withMargin(
    priceOf(unit.chargedCents, chargeFor(option, leastCents, basis)),
    priceOf(unit.sellerCents, leastCents),
  );
}

/** Returns what the buyer pays for an amount of the seller. */
export function chargeFor(
  { kind, percent }: Pick<OptionTerms, 'kind' | 'percent'>,
  sellerCents: number,
  { sellerPriceCents, publicPriceCents, rules }: Omit<PricingBasis, 'words'>,
): number {
  const { marginBasisPoints } = rules.kinds[kind];
  if (marginBasisPoints !== null) return priceWithMargin(sellerCents, marginBasisPoints);
  return percent === null
    ? multiply(sellerCents, publicPriceCents, sellerPriceCents)
    : multiply(publicPriceCents, percent, 100);
}

const withMargin = (chargedCents: number, sellerCents: number): OptionPrice => ({
  chargedCents,
  sellerCents,
  marginCents: chargedCents - sellerCents,
});
