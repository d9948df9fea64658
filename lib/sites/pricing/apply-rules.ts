import { inArray } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import type { Currency } from '@/lib/money';
import { lockSites } from '@/lib/sites/lock';
import { saveSiteChanges } from '@/lib/sites/save-changes';
import { describeScope } from './commission-rules';
import { lockPricing } from './lock-pricing';
import { type CommissionRule, describeMargin, type NoPrice, priceByRule } from './price-by-rule';
import type { applyPricesInput, previewPricesInput } from './schemas';

/** A site of a preview: its price now, and the one that the rules give it or why they give none. */
export type PricePreview = {
  id: number;
  name: string;
  version: number;
  currency: Currency;
  sellerPriceCents: number | null;
  /** The public price now; null without one. */
  priceCents: number | null;
} & ({ newPriceCents: number; rule: string } | { problem: NoPrice });

/** Returns the prices that the commission rules give to sites, without setting them. */
export async function previewPrices({ ids }: z.output<typeof previewPricesInput>): Promise<PricePreview[]> {
  return db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    const names = await findSellerNames(tx, pricing.rules);
    return (await lockSites(tx, ids)).map((site) => {
      const { id, name, version, publicCurrency: currency, sellerPriceCents, publicPriceCents: priceCents } = site;
      const facts = { id, name, version, currency, sellerPriceCents, priceCents };
      const priced = priceByRule(pricing, site);
      if ('problem' in priced) return { ...facts, ...priced };
      const { rule } = priced;
      const scope = describeScope({ ...rule, seller: names.get(rule.sellerId ?? '') ?? null });
      return { ...facts, newPriceCents: priced.priceCents, rule: `${scope}: ${describeMargin(rule)}` };
    });
  });
}

async function findSellerNames(tx: Executor, rules: readonly CommissionRule[]): Promise<Map<string, string>> {
  const ids = rules.flatMap(({ sellerId }) => sellerId ?? []);
  const { id, name, email } = users;
  const sellers = await tx.select({ id, name, email }).from(users).where(inArray(id, ids));
  return new Map(sellers.map((seller) => [seller.id, seller.name || seller.email]));
}

/**
 * Sets the prices of a preview. A site that was changed or deleted since the preview, or whose price by the rules is
 * another now, keeps its price and is counted.
 */
export async function applyPrices(
  actor: Actor,
  { sites: previewed }: z.output<typeof applyPricesInput>,
): Promise<{ changed: number; conflicts: number }> {
  return db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    const expected = new Map(previewed.map((site) => [site.id, site]));
    const outcome = { changed: 0, conflicts: expected.size };
    for (const site of await lockSites(tx, [...expected.keys()])) {
      const { version, priceCents } = expected.get(site.id) ?? {};
      const priced = priceByRule(pricing, site);
      if (site.version !== version || 'problem' in priced || priced.priceCents !== priceCents) continue;
      outcome.conflicts -= 1;
      const prices = { publicPriceCents: priceCents, adminPriceCents: priceCents };
      if (await saveSiteChanges(tx, actor, site, prices, pricing)) outcome.changed += 1;
    }
    return outcome;
  });
}
