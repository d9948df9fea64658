import type { placements } from '@/db/schema/placements';

type Settled = Pick<typeof placements.$inferSelect, 'state' | 'sellerReturnedCents' | 'marginReturnedCents'>;

/**
 * Returns the part of an order's price that a settlement returned to the buyer, in USD cents. It remains returned in every
 * status of the order. A settlement of the whole price is a refund instead, which another status reverses: 0.
 */
export function getSettledPart(chargedCents: number, placement: Settled | null | undefined): number {
  if (placement?.state !== 'settled' && placement?.state !== 'lost') return 0;
  const returnedCents = placement.sellerReturnedCents + placement.marginReturnedCents;
  return returnedCents === chargedCents ? 0 : returnedCents;
}
