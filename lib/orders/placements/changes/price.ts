import { and, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '@/db/client';
import { orderChanges } from '@/db/schema/order-changes';
import { siteOptions } from '@/db/schema/site-options';
import type { LockedPlacement } from '@/lib/orders/placements/lock';

/** The price of a change in percent of the order, for a listing without a price of its own. */
const defaultPercent = 25;

type Priced = {
  order: Pick<LockedPlacement['order'], 'id' | 'siteId' | 'chargedCents'>;
  placement: Pick<LockedPlacement['placement'], 'sellerCents' | 'marginCents'>;
};
export type ChangePrice = { sellerCents: number; marginCents: number };

/**
 * Calculates the price of a change in USD cents: as the listing sets it, otherwise in percent of the order. A percentage is
 * of what the order cost without earlier changes.
 */
export async function getChangePrice(tx: Executor, { order, placement }: Priced): Promise<ChangePrice> {
  const [option, [earlier]] = await Promise.all([
    order.siteId === null ? undefined : findOption(tx, order.siteId),
    tx
      .select({ sellerCents: sumOf(orderChanges.sellerCents), marginCents: sumOf(orderChanges.marginCents) })
      .from(orderChanges)
      .where(and(eq(orderChanges.orderId, order.id), eq(orderChanges.state, 'approved'))),
  ]);
  const base = {
    sellerCents: placement.sellerCents - (earlier?.sellerCents ?? 0),
    marginCents: placement.marginCents - (earlier?.marginCents ?? 0),
  };
  if (option && option.sellerCents !== null) return addMargin(placement, option.sellerCents);
  const percent = option?.percent ?? defaultPercent;
  const sellerCents = multiply(base.sellerCents, percent, 100);
  return { sellerCents, marginCents: multiply(base.sellerCents + base.marginCents, percent, 100) - sellerCents };
}

/** Adds the margin to a seller's share, in the order's proportion of both. */
export function addMargin(shares: ChangePrice, sellerCents: number): ChangePrice {
  const { sellerCents: whole, marginCents } = shares;
  return { sellerCents, marginCents: whole === 0 ? 0 : multiply(sellerCents, marginCents, whole) };
}

const sumOf = (column: PgColumn) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);

/** Finds the price of a change that the seller of a listing set. */
async function findOption(tx: Executor, siteId: number) {
  const [option] = await tx
    .select({ sellerCents: siteOptions.sellerCents, percent: siteOptions.percent })
    .from(siteOptions)
    .where(and(eq(siteOptions.siteId, siteId), eq(siteOptions.kind, 'change')));
  return option;
}

/** Calculates `cents * part / whole` in non-negative integers, rounded half up. */
const multiply = (cents: number, part: number, whole: number): number =>
  Number((BigInt(cents) * BigInt(part) * 2n + BigInt(whole)) / (2n * BigInt(whole)));
