import type { z } from 'zod';
import type { disputeProposals, disputes } from '@/db/schema/disputes';
import type { PlacementRole } from '@/db/schema/placements';
import type { adminDisputeResponse, disputeResponse } from './schemas';

/** A dispute's row with its order, its placement and its proposals, the first one first. */
export type DisputeRow = typeof disputes.$inferSelect & {
  proposals: (typeof disputeProposals.$inferSelect)[];
  website: string;
  chargedCents: number;
  buyerId: string;
  buyerName: string;
  buyerEmail: string;
  sellerId: string;
  sellerName: string;
  sellerEmail: string;
  /** The seller's share of the charge, in USD cents. */
  sellerCents: number;
};

/** The side for which a user reads a dispute. */
export type DisputeReader = 'buyer' | 'seller' | 'staff';
export type DisputeView = z.output<typeof disputeResponse>;
export type AdminDisputeView = z.output<typeof adminDisputeResponse>;

/** Returns a dispute as a side sees it. The seller sees the amount of the own share, which does not tell the price. */
export function disputeView(row: DisputeRow, reader: DisputeReader): DisputeView {
  return {
    id: row.id,
    orderId: row.orderId,
    state: row.state,
    openedBy: toParty(row.role),
    reason: row.reason,
    text: row.text,
    amountCents: reader === 'seller' ? Math.min(row.sellerCents, row.amountCents) : row.amountCents,
    proposals: row.proposals.map(({ number, role, buyerPercent, createdAt, acceptedAt }) => ({
      n: number,
      by: toParty(role),
      buyerPercent,
      at: createdAt.toISOString(),
      acceptedAt: acceptedAt?.toISOString() ?? null,
    })),
    silenceDueAt: row.silenceDueAt?.toISOString() ?? null,
    outcome: row.outcome,
    buyerPercent: row.buyerPercent,
    note: row.note,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    version: row.version,
  };
}

/** Returns a dispute as staff see it in their list. */
export function adminDisputeView(row: DisputeRow): AdminDisputeView {
  return {
    ...disputeView(row, 'staff'),
    website: row.website,
    chargedCents: row.chargedCents,
    earnsCents: row.sellerCents,
    returnedCents: row.returnedCents,
    userName: row.buyerName,
    userEmail: row.buyerEmail,
    sellerName: row.sellerName,
    sellerEmail: row.sellerEmail,
  };
}

const toParty = (role: PlacementRole): DisputeReader => (role === 'system' ? 'staff' : role);
