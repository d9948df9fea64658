import type { PlacementRow } from '@/lib/orders/contract';
import { getGuarantee, getRipeAtApproval } from './shares';

/** Why a part of a placement's share is not payable. Times are ISO 8601, and null without a clock. */
export type NotYet =
  | { reason: 'answer' | 'publish'; until: string | null }
  | { reason: 'review'; until: string | null }
  | { reason: 'dispute' }
  /** The link is missing, or differs from the brief. */
  | { reason: 'missing' | 'changed'; until: string | null }
  /** The newest check could not tell. */
  | { reason: 'unknown' }
  /** `atEndCents` is what guarantees cost, which follows in one part. */
  | { reason: 'ripening'; perDayCents: number; atEndCents: number; until: string | null };

/** Returns what a placement still brings its seller, in USD cents, and what it waits for. */
export function getExpectedEarning(row: PlacementRow) {
  const { sellerCents, sellerReturnedCents, ripenedCents, approvalPercent, guaranteeDays, guaranteeCents } = row;
  // Without what returned to the buyer.
  const shareCents = sellerCents - sellerReturnedCents;
  const openCents = shareCents - ripenedCents;
  return {
    shareCents,
    ripeCents: ripenedCents,
    openCents,
    approvalPercent,
    atApprovalCents: getRipeAtApproval(row),
    guaranteeDays,
    atEndCents: Math.min(guaranteeCents, openCents),
    notYet: openCents > 0 ? getReason(row) : null,
  };
}

export type ExpectedEarning = ReturnType<typeof getExpectedEarning>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function getReason(row: PlacementRow): NotYet | null {
  switch (row.state) {
    case 'offered':
      return { reason: 'answer', until: iso(row.answerDueAt) };
    case 'accepted':
    case 'in_revision':
      return { reason: 'publish', until: iso(row.deliveryDueAt) };
    case 'delivered':
      return { reason: 'review', until: iso(row.approveDueAt) };
    case 'disputed':
      return { reason: 'dispute' };
    case 'approved':
      return getReasonOfLink(row);
    default:
      return null;
  }
}

/** Explains an approved placement, which has no verdict before its first check. */
function getReasonOfLink(row: PlacementRow): NotYet {
  if (row.linkRepairDueAt || row.linkVerdict === 'broken')
    return { reason: 'missing', until: iso(row.linkRepairDueAt) };
  if (row.linkVerdict === 'changed') return { reason: 'changed', until: null };
  if (row.linkVerdict === 'unknown') return { reason: 'unknown' };
  const { sellerCents, guaranteeCents, guaranteeDays, ripenedCents } = row;
  const base = sellerCents - guaranteeCents;
  const rest = base - getRipeAtApproval(row);
  const isBaseRipe = ripenedCents >= base;
  return {
    reason: 'ripening',
    perDayCents: isBaseRipe ? 0 : guaranteeDays > 0 ? Math.floor(rest / guaranteeDays) : rest,
    atEndCents: guaranteeCents,
    until: iso(getGuarantee(row)?.endsAt ?? null),
  };
}
