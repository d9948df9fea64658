import type { siteOptions } from '@/db/schema/site-options';
import type { OptionRules } from '@/lib/settings/option-rules';
import { priceWithMargin } from '@/lib/sites/pricing/price-by-rule';

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
 * amount times the ratio of the two prices. A margin of the operator for the kind replaces both. Each share is rounded
 * half up to the cent.
 */
export function priceOption(option: OptionTerms, basis: PricingBasis): OptionPrice {
  const { sellerPriceCents, publicPriceCents, rules } = basis;
  const { marginBasisPoints } = rules.kinds[option.kind];
  const sellerCents = getSellerCents(option, basis);
  const chargedCents =
    marginBasisPoints !== null
      ? priceWithMargin(sellerCents, marginBasisPoints)
      : option.percent !== null
        ? multiply(publicPriceCents, option.percent, 100)
        : multiply(sellerCents, publicPriceCents, sellerPriceCents);
  return { chargedCents, sellerCents, marginCents: chargedCents - sellerCents };
}

function getSellerCents({ kind, percent, sellerCents, minimumCents }: OptionTerms, basis: PricingBasis): number {
  if (percent !== null) return multiply(basis.sellerPriceCents, percent, 100);
  if (kind !== 'writing') return sellerCents ?? 0;
  const words = Math.max(basis.words ?? 0, basis.rules.minWords);
  return Math.max(multiply(sellerCents ?? 0, words, 100), minimumCents ?? 0);
}

/** Calculates `cents * part / whole`, rounded half up, without the loss of a product beyond the safe range. */
const multiply = (cents: number, part: number, whole: number): number =>
  Number((BigInt(cents) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n));
