import type { LinkStanding } from '@/db/schema/links';
import type { OrderStatus } from '@/db/schema/orders';
import type { PlacementState } from '@/db/schema/placements';

/** What decides how an order is described. */
export type StatusFacts = {
  /** Null for a seller, who sees the placement alone. */
  status: OrderStatus | null;
  placement?: { state: PlacementState; isLate: boolean; repairDueAt?: string | null | undefined } | null | undefined;
  /** The newest check of the link, or that it was lost; null before the first. */
  verdict: LinkStanding | null;
};

type StatusLine = { label: string; tone: 'yellow' | 'blue' | 'green' | 'red' | 'grey' };
type Side = 'buyer' | 'seller' | 'staff';

/**
 * Describes in one line where an order stands, from its status, the state of its placement, its dispute and the newest
 * check of its link. Every screen shows this line; the API has the parts.
 */
export function describeOrderStatus({ status, placement, verdict }: StatusFacts, side: Side): StatusLine {
  const desk = status === null ? null : describeDeskStatus(status, verdict, side);
  if (!placement || (status !== null && isReopened(status, placement.state))) return desk ?? takenOver;
  const isSeller = side === 'seller';
  switch (placement.state) {
    case 'offered':
      return { label: isSeller ? 'New' : 'Pending', tone: 'yellow' };
    case 'accepted':
      return placement.isLate ? late : { label: isSeller ? 'To publish' : 'Processing', tone: 'blue' };
    case 'in_revision':
      return placement.isLate ? late : { label: 'Change requested', tone: 'yellow' };
    case 'delivered':
      if (verdict === 'broken') return notFound;
      return { label: isSeller ? 'In review' : 'Delivered', tone: 'blue' };
    case 'disputed':
      return { label: 'Disputed', tone: 'red' };
    case 'approved':
      if (isSeller && (verdict === 'changed' || placement.repairDueAt)) return { label: 'To repair', tone: 'red' };
      // Until a check finds the link again: one that cannot tell changes nothing.
      if (placement.repairDueAt && verdict !== 'lost') return missing;
      return describeLink(verdict) ?? { label: approvedLabels[side], tone: 'green' };
    case 'closed':
      // The seller owes nothing after the guarantee.
      return (!isSeller && describeLink(verdict)) || { label: 'Completed', tone: 'green' };
    case 'lost':
      return lost;
    case 'settled':
      return status === 'Refunded' ? refunded : { label: 'Settled', tone: 'grey' };
    case 'declined':
      return desk ?? { label: 'Declined', tone: 'grey' };
    case 'expired':
      return desk ?? { label: 'Expired', tone: 'grey' };
    case 'cancelled':
      return desk ?? { label: 'Canceled', tone: 'grey' };
    case 'taken_over':
      return desk ?? takenOver;
  }
}

/** Checks whether staff changed the status of an order whose placement is over: the status describes it then. */
export function isReopened(status: OrderStatus, state: PlacementState): boolean {
  switch (state) {
    case 'declined':
    case 'expired':
    case 'cancelled':
      return status !== 'Refunded';
    case 'closed':
      return status !== 'Completed' && status !== 'Live';
    case 'settled':
    case 'lost':
      return status === 'Pending' || status === 'Processing' || status === 'Rejected';
    default:
      return false;
  }
}

/** Describes an order that staff fulfill. Buyers see Live as Completed (lib/orders/contract.ts). */
function describeDeskStatus(status: OrderStatus, verdict: LinkStanding | null, side: Side): StatusLine {
  const isPublished = status === 'Live' || status === 'Completed';
  const label = status === 'Live' ? approvedLabels[side] : status;
  return (isPublished && describeLink(verdict)) || { label, tone: tones[status] };
}

/** Describes a link that is not as ordered; null for one that is, and for one that the check could not judge. */
function describeLink(verdict: LinkStanding | null): StatusLine | null {
  if (verdict === 'lost') return lost;
  if (verdict === 'broken') return notFound;
  return verdict === 'changed' ? { label: 'Link changed', tone: 'yellow' } : null;
}

/** Names the address of an order's link: it is live unless the order's status says that the link is lost or missing. */
export const describeAddress = (facts: StatusFacts): string =>
  [lost, missing, notFound].some(({ label }) => label === describeOrderStatus(facts, 'buyer').label)
    ? 'Published page'
    : 'Live link';

const tones: Record<OrderStatus, StatusLine['tone']> = {
  Pending: 'yellow',
  Processing: 'blue',
  Live: 'green',
  Completed: 'green',
  Rejected: 'red',
  Refunded: 'grey',
};
const approvedLabels = { buyer: 'Completed', seller: 'Approved', staff: 'Live' };
const late: StatusLine = { label: 'Late', tone: 'red' };
const lost: StatusLine = { label: 'Link lost', tone: 'red' };
/** A second check confirmed it. */
const missing: StatusLine = { label: 'Link missing', tone: 'red' };
const notFound: StatusLine = { label: 'Link not found', tone: 'red' };
const refunded: StatusLine = { label: 'Refunded', tone: 'grey' };
const takenOver: StatusLine = { label: 'Taken over', tone: 'grey' };

/** Checks whether the seller's request for more days waits for an answer. */
export const isOpenExtension = (extension: { grantedAt: string | null; refusedAt: string | null } | null): boolean =>
  extension !== null && extension.grantedAt === null && extension.refusedAt === null;
