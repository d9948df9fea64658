import type { placements } from '@/db/schema/placements';

type Placement = Pick<
  typeof placements.$inferSelect,
  | 'sellerCents'
  | 'sellerReturnedCents'
  | 'ripenedCents'
  | 'approvalPercent'
  | 'guaranteeDays'
  | 'approvedAt'
  | 'guaranteeStartsAt'
>;

const dayMs = 24 * 3_600_000;

/** Returns what ripens at the approval, in USD cents: the percentage of the seller's share, rounded down. */
export const getRipeAtApproval = ({ sellerCents, approvalPercent }: Placement): number =>
  multiply(sellerCents, approvalPercent, 100);

/** When the guarantee starts and ends; null before the approval. Each time in which the link was not in order moves both. */
export function getGuarantee({
  approvedAt,
  guaranteeStartsAt,
  guaranteeDays,
}: Placement): { startsAt: Date; endsAt: Date } | null {
  const startsAt = guaranteeStartsAt ?? approvedAt;
  return startsAt && { startsAt, endsAt: new Date(startsAt.getTime() + guaranteeDays * dayMs) };
}

/**
 * Returns what is ripe when the link is in order at a time, in USD cents: what ripens at the approval, and of the rest the
 * part of the guarantee that has passed, rounded down. Never less than what is ripe already.
 */
export function getRipe(placement: Placement, at: Date): number {
  const guarantee = getGuarantee(placement);
  if (!guarantee) return 0;
  const first = getRipeAtApproval(placement);
  const whole = placement.sellerCents - placement.sellerReturnedCents;
  const total = guarantee.endsAt.getTime() - guarantee.startsAt.getTime();
  const passed = Math.min(Math.max(at.getTime() - guarantee.startsAt.getTime(), 0), total);
  const ripe = total === 0 ? whole : first + multiply(placement.sellerCents - first, passed, total);
  return Math.max(placement.ripenedCents, Math.min(ripe, whole));
}

/** `cents * part / whole`, rounded down, without the loss of a product beyond the safe range. */
const multiply = (cents: number, part: number, whole: number): number =>
  Number((BigInt(cents) * BigInt(part)) / BigInt(whole));

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
