import type { InferSelectModel } from 'drizzle-orm';
import type { commissionRules } from '@/db/schema/sites';
import { type Currency, convertFromUsdCents, convertToUsdCents, formatMoney, walletCurrency } from '@/lib/money';
import type { Rates } from '@/lib/sites/field-values';
import { nicheKey } from '@/lib/taxonomy/contract';

export type CommissionRule = InferSelectModel<typeof commissionRules>;

/** What a price depends on besides the site: the exchange rates and the commission rules in force. */
export type Pricing = { rates: Rates; rules: readonly CommissionRule[] };

/** What of a site a rule depends on. */
export type PricedSite = { ownerId: string; niche: string; publicCurrency: Currency; sellerPriceCents: number | null };

/** Why the rules give a site no price. */
export type NoPrice = 'no-seller-price' | 'no-rule' | 'no-rate' | 'out-of-range';

/** The maximum price of a placement: one million, in minor units of its currency. */
export const maxPriceCents = 100_000_000;

type Scope = Pick<CommissionRule, 'sellerId' | 'nicheKey' | 'currency'>;

/**
 * Ranks a rule by what it is for. A seller weighs more than a niche and a currency together, and a niche more than a
 * currency, so that two rules that match a site never have the same rank.
 */
const rank = ({ sellerId, nicheKey, currency }: Scope): number =>
  (sellerId === null ? 0 : 4) + (nicheKey === null ? 0 : 2) + (currency === null ? 0 : 1);

/** Compares two rules: the one that prevails comes first, and rules of one rank by their scope. */
export const compareRules = (one: CommissionRule, other: CommissionRule): number =>
  rank(other) - rank(one) || (one.niche ?? '').localeCompare(other.niche ?? '') || (one.id < other.id ? -1 : 1);

/** Finds the rule that prevails for a site: the most specific one that matches. */
export function findRule(rules: readonly CommissionRule[], site: PricedSite): CommissionRule | undefined {
  const key = nicheKey(site.niche);
  return rules
    .filter(
      (rule) =>
        (rule.sellerId === null || rule.sellerId === site.ownerId) &&
        (rule.nicheKey === null || rule.nicheKey === key) &&
        (rule.currency === null || rule.currency === site.publicCurrency),
    )
    .sort(compareRules)[0];
}

/**
 * Returns the price of a site by the rule that prevails: the seller's price plus the percentage, rounded half up to the
 * cent, and at least the seller's price plus the minimum. The minimum of a rule without a currency is in USD; in another
 * currency it is converted at the rate in force, rounded up.
 */
export function priceByRule(
  { rates, rules }: Pricing,
  site: PricedSite,
): { priceCents: number; rule: CommissionRule } | { problem: NoPrice } {
  const { sellerPriceCents, publicCurrency } = site;
  if (sellerPriceCents === null) return { problem: 'no-seller-price' };
  const rule = findRule(rules, site);
  if (!rule) return { problem: 'no-rule' };
  const usdMicrosPerUnit = publicCurrency === walletCurrency ? 1_000_000 : rates.get(publicCurrency);
  if (!usdMicrosPerUnit) return { problem: 'no-rate' };
  const minimumCents =
    rule.currency === null ? convertFromUsdCents(rule.minimumCents, usdMicrosPerUnit) : rule.minimumCents;
  const priceCents = Math.max(
    priceWithMargin(sellerPriceCents, rule.marginBasisPoints),
    sellerPriceCents + minimumCents,
  );
  // A price of less than one US cent cannot be charged.
  const isInRange = priceCents <= maxPriceCents && convertToUsdCents(priceCents, usdMicrosPerUnit) > 0;
  return isInRange ? { priceCents, rule } : { problem: 'out-of-range' };
}

type PriceChanges = { publicPriceCents?: number | null; adminPriceCents?: number };

/**
 * Returns the prices that an approval sets. A site without a public price, or whose seller changed the price since, is
 * priced by rule. Where no rule gives a price, a public price below the seller's changed price is removed.
 * @param requested the prices of the same change: a public price prevails over the rules, and so does an admin price
 * @returns the changes, and a sentence about them for the audit log
 */
export function priceOnApproval(
  pricing: Pricing,
  site: PricedSite & { publicPriceCents: number | null; isPriceStale: boolean },
  requested: { publicPriceCents?: number | null | undefined; adminPriceCents?: number | null | undefined },
): { changes: PriceChanges; note: string } {
  const { sellerPriceCents, publicPriceCents, publicCurrency, isPriceStale } = site;
  if (typeof requested.publicPriceCents === 'number' || (publicPriceCents !== null && !isPriceStale))
    return { changes: {}, note: '' };
  const priced = priceByRule(pricing, site);
  if ('rule' in priced) {
    const { priceCents, rule } = priced;
    return {
      changes: {
        publicPriceCents: priceCents,
        ...(typeof requested.adminPriceCents !== 'number' && { adminPriceCents: priceCents }),
      },
      note: ` A commission rule (${describeMargin(rule)}) set the public price to ${formatMoney(priceCents, publicCurrency)}.`,
    };
  }
  const isLoss = publicPriceCents !== null && sellerPriceCents !== null && publicPriceCents < sellerPriceCents;
  return isLoss
    ? { changes: { publicPriceCents: null }, note: ' The public price was removed: the seller’s price is higher.' }
    : { changes: {}, note: '' };
}

/**
 * Adds a margin to a price, in integer arithmetic, rounded half up to the cent.
 * @param sellerPriceCents minor units
 * @param marginBasisPoints hundredths of a percent: 25 % is 2,500
 */
export function priceWithMargin(sellerPriceCents: number, marginBasisPoints: number): number {
  const scaled = BigInt(sellerPriceCents) * BigInt(10_000 + marginBasisPoints);
  return Number((scaled + 5_000n) / 10_000n);
}

/** Formats 2550 as "25.5%". */
export const formatMargin = (basisPoints: number): string => `${basisPoints / 100}%`;

/** Describes the margin of a rule: "25%, at least $10.00". */
export function describeMargin({ marginBasisPoints, minimumCents, currency }: CommissionRule): string {
  const minimum = minimumCents > 0 ? `, at least ${formatMoney(minimumCents, currency ?? walletCurrency)}` : '';
  return `${formatMargin(marginBasisPoints)}${minimum}`;
}
