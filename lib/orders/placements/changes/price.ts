import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '@/db/client';
import { orderChanges } from '@/db/schema/order-changes';
import { siteOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { walletCurrency } from '@/lib/money';
import { type PricingBasis, priceOption } from '@/lib/orders/options/price';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { getOptionRules, type OptionRules } from '@/lib/settings/option-rules';

const kind = 'change';

type Priced = {
  order: Pick<LockedPlacement['order'], 'id' | 'siteId'>;
  placement: Pick<LockedPlacement['placement'], 'sellerId' | 'sellerCents' | 'marginCents'>;
};
/** Why no change can be asked for while the marketplace does not offer them. */
export const notOffered = 'This marketplace does not offer paid changes.';

export type ChangePrice = { sellerCents: number; marginCents: number };

/**
 * Calculates the price of a change in USD cents: as the listing sets it, otherwise in percent of the order. A percentage is
 * of what the order cost without earlier changes.
 * @returns null while the marketplace does not offer changes
 */
export async function getChangePrice(tx: Executor, { order, placement }: Priced): Promise<ChangePrice | null> {
  const [rules, option, [earlier]] = await Promise.all([
    getOptionRules(tx),
    order.siteId === null ? undefined : findOption(tx, order.siteId, placement.sellerId),
    tx
      .select({ sellerCents: sumOf(orderChanges.sellerCents), marginCents: sumOf(orderChanges.marginCents) })
      .from(orderChanges)
      .where(and(eq(orderChanges.orderId, order.id), eq(orderChanges.state, 'approved'))),
  ]);
  if (!rules.kinds[kind].isOffered) return null;
  const base = {
    sellerCents: placement.sellerCents - (earlier?.sellerCents ?? 0),
    marginCents: placement.marginCents - (earlier?.marginCents ?? 0),
  };
  const terms = option ?? { sellerCents: null, percent: rules.changePercent };
  return priceOption({ kind, minimumCents: null, ...terms }, basisOf(base, rules));
}

/** Prices a change for which the seller names the share. */
export async function addMargin(tx: Executor, shares: ChangePrice, sellerCents: number): Promise<ChangePrice> {
  return priceOption(
    { kind, percent: null, minimumCents: null, sellerCents },
    basisOf(shares, await getOptionRules(tx)),
  );
}

const basisOf = ({ sellerCents, marginCents }: ChangePrice, rules: OptionRules): PricingBasis => ({
  sellerPriceCents: sellerCents,
  publicPriceCents: sellerCents + marginCents,
  words: null,
  rules,
});

const sumOf = (column: PgColumn) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);

/** Finds the price of a change that the seller set for the listing. An amount in another currency is none. */
async function findOption(tx: Executor, siteId: number, sellerId: string) {
  const [option] = await tx
    .select({ sellerCents: siteOptions.sellerCents, percent: siteOptions.percent })
    .from(siteOptions)
    .innerJoin(sites, eq(sites.id, siteOptions.siteId))
    .where(
      and(
        eq(siteOptions.siteId, siteId),
        eq(siteOptions.kind, kind),
        eq(sites.ownerId, sellerId),
        isNull(sites.deletedAt),
        or(isNotNull(siteOptions.percent), eq(sites.publicCurrency, walletCurrency)),
      ),
    );
  return option;
}
