import type { placements } from '@/db/schema/placements';

type Shares = { sellerCents: number; marginCents: number };

/** How a settlement divides the shares of a placement, in USD cents. The four parts add up to the two shares. */
export type SettlementSplit = {
  /** Returns to the buyer: `sellerReturnedCents` and `marginReturnedCents`. */
  buyerCents: number;
  /** What the seller and the platform keep. */
  sellerCents: number;
  marginCents: number;
  /** What the seller and the platform return. */
  sellerReturnedCents: number;
  marginReturnedCents: number;
};

/**
 * Divides the shares of a placement for a settlement. The seller and the platform each keep their part of their share,
 * rounded down, so that the buyer receives the odd cents.
 * @param shares the seller's share and the margin, in non-negative integer USD cents
 * @param buyerPercent the part that returns to the buyer: an integer from 0 to 100
 * @throws RangeError for another percentage or for amounts that are not non-negative integers
 * @example splitShare({ sellerCents: 101, marginCents: 33 }, 50).buyerCents // 68
 */
export function splitShare(shares: Shares, buyerPercent: number): SettlementSplit {
  if (!Number.isInteger(buyerPercent) || buyerPercent < 0 || buyerPercent > 100) {
    throw new RangeError(`A share is an integer from 0 to 100 percent, not ${buyerPercent}.`);
  }
  const sellerCents = keepPart(shares.sellerCents, 100 - buyerPercent);
  const marginCents = keepPart(shares.marginCents, 100 - buyerPercent);
  return divide(shares, shares.sellerCents - sellerCents, shares.marginCents - marginCents);
}

/** Parses the share of a form: an integer from 0 to 100; null for another text. */
export function parsePercent(text: string): number | null {
  const percent = Number(text);
  return text.trim() !== '' && Number.isInteger(percent) && percent >= 0 && percent <= 100 ? percent : null;
}

/** Calculates a share. Whole hundreds are divided first, so that the product of a large amount stays exact. */
function keepPart(cents: number, percent: number): number {
  if (!Number.isSafeInteger(cents) || cents < 0) {
    throw new RangeError(`A share is a non-negative integer of cents, not ${cents}.`);
  }
  const rest = cents % 100;
  return ((cents - rest) / 100) * percent + Math.floor((rest * percent) / 100);
}

/**
 * Divides the shares of a placement for a settlement. What is ripe stays with the seller: the part of the buyer that the
 * rest of the seller's share does not cover is taken from the margin, as far as it goes.
 * @param placement its shares and what is ripe, in USD cents
 * @param buyerPercent the part of the charge that returns to the buyer: an integer from 0 to 100
 * @throws RangeError as `splitShare`
 */
export function splitSettlement(placement: Shares & { ripenedCents: number }, buyerPercent: number): SettlementSplit {
  const { sellerReturnedCents, buyerCents } = splitShare(placement, buyerPercent);
  const { sellerCents, marginCents, ripenedCents } = placement;
  const fromSeller = Math.min(sellerReturnedCents, sellerCents - ripenedCents);
  return divide(placement, fromSeller, Math.min(buyerCents - fromSeller, marginCents));
}

/**
 * Divides the shares of a placement whose link was lost: what is not ripe returns to the buyer, with the same share of the
 * margin. The margin that stays is rounded down, so that the buyer receives the odd cents.
 */
export function splitLoss(placement: Shares & { ripenedCents: number }): SettlementSplit {
  const { sellerCents, marginCents, ripenedCents } = placement;
  // As integers, because the product can exceed the safe range.
  const kept = sellerCents === 0 ? 0 : Number((BigInt(marginCents) * BigInt(ripenedCents)) / BigInt(sellerCents));
  return divide(placement, sellerCents - ripenedCents, marginCents - kept);
}

const divide = (shares: Shares, sellerReturnedCents: number, marginReturnedCents: number): SettlementSplit => ({
  buyerCents: sellerReturnedCents + marginReturnedCents,
  sellerCents: shares.sellerCents - sellerReturnedCents,
  marginCents: shares.marginCents - marginReturnedCents,
  sellerReturnedCents,
  marginReturnedCents,
});

type Placement = Pick<
  typeof placements.$inferSelect,
  | 'sellerCents'
  | 'sellerReturnedCents'
  | 'ripenedCents'
  | 'approvalPercent'
  | 'guaranteeDays'
  | 'addedDays'
  | 'guaranteeCents'
  | 'approvedAt'
  | 'guaranteeStartsAt'
>;

const dayMs = 24 * 3_600_000;

/** Returns what ripens at the approval, in USD cents: the percentage of the share without the guarantees, rounded down. */
export const getRipeAtApproval = ({ sellerCents, guaranteeCents, approvalPercent }: Placement): number =>
  multiply(sellerCents - guaranteeCents, approvalPercent, 100);

/** Returns the guarantee's start and end; null before the approval. Each time with the link not in order moves both. */
export function getGuarantee({
  approvedAt,
  guaranteeStartsAt,
  guaranteeDays,
  addedDays,
}: Placement): { startsAt: Date; endsAt: Date } | null {
  const startsAt = guaranteeStartsAt ?? approvedAt;
  return startsAt && { startsAt, endsAt: new Date(startsAt.getTime() + (guaranteeDays + addedDays) * dayMs) };
}

/**
 * Returns what is ripe when the link is in order at a time, in USD cents: what ripens at the approval, and of the rest the
 * part of `guaranteeDays` that has passed, rounded down. What guarantees cost ripens at the end, after the added days.
 * Never less than what is ripe already.
 */
export function getRipe(placement: Placement, at: Date): number {
  const guarantee = getGuarantee(placement);
  if (!guarantee) return 0;
  const first = getRipeAtApproval(placement);
  const whole = placement.sellerCents - placement.sellerReturnedCents;
  const total = placement.guaranteeDays * dayMs;
  const passed = Math.min(Math.max(at.getTime() - guarantee.startsAt.getTime(), 0), total);
  const base = placement.sellerCents - placement.guaranteeCents;
  const ripe = at >= guarantee.endsAt ? whole : total === 0 ? base : first + multiply(base - first, passed, total);
  return Math.max(placement.ripenedCents, Math.min(ripe, whole));
}

/** Calculates `cents * part / whole`, rounded down, without the loss of a product beyond the safe range. */
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
