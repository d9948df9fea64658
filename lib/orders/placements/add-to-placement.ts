import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { convertFromUsdCents } from '@/lib/money';
import type { LockedPlacement } from './lock';

/** What a buyer paid for after the order, in USD cents: `chargedCents` is the sum of both shares. */
type Addition = {
  chargedCents: number;
  sellerCents: number;
  marginCents: number;
  /** The part of `sellerCents` that ripens at the end of the guarantee. */
  guaranteeCents?: number;
  addedDays?: number;
  /** The tax that was paid with `chargedCents`. */
  taxCents: number;
};

/**
 * Adds what the buyer paid for to the charge of an approved or closed order and to the shares of its placement. A closed
 * placement ripens at once. The caller posts the transfers, of which `createRipeningTransfers` creates that of a closed
 * placement from `placement` before and after.
 * @returns the order and placement after the addition, still locked
 */
export async function addToPlacement(
  tx: Executor,
  locked: LockedPlacement,
  { chargedCents, sellerCents, marginCents, guaranteeCents = 0, addedDays = 0, taxCents }: Addition,
): Promise<LockedPlacement> {
  const { order: orderBefore, placement: before } = locked;
  const isRipe = before.state === 'closed' && sellerCents > 0;
  const grown = {
    sellerCents: before.sellerCents + sellerCents,
    marginCents: before.marginCents + marginCents,
    guaranteeCents: before.guaranteeCents + guaranteeCents,
    addedDays: before.addedDays + addedDays,
    ripenedCents: isRipe ? before.ripenedCents + sellerCents : before.ripenedCents,
    ripenCount: isRipe ? before.ripenCount + 1 : before.ripenCount,
    version: before.version + 1,
  };
  const paid = {
    chargedCents: orderBefore.chargedCents + chargedCents,
    taxCents: orderBefore.taxCents + taxCents,
    priceCents: orderBefore.priceCents + convertFromUsdCents(chargedCents, orderBefore.usdMicrosPerUnit),
    version: orderBefore.version + 1,
  };
  await tx.update(placements).set(grown).where(eq(placements.orderId, orderBefore.id));
  await tx.update(orders).set(paid).where(eq(orders.id, orderBefore.id));
  return { ...locked, order: { ...orderBefore, ...paid }, placement: { ...before, ...grown } };
}
