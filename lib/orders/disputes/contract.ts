import { z } from 'zod';
import { disputeOutcomes, type disputeProposals, disputeStates, type disputes } from '@/db/schema/disputes';
import type { PlacementRole } from '@/db/schema/placements';
import {
  choiceParam,
  idCursorField,
  idTextField,
  nameField,
  pageQuery,
  proseField,
  versionField,
} from '@/lib/platform/http/fields';

/** Why a dispute is opened, with the label that screens show, and the sides that can choose it. */
const disputeReasons = {
  not_as_briefed: { label: 'Not as in the brief', sides: ['buyer'] },
  link_missing: { label: 'The link is missing or wrong', sides: ['buyer'] },
  page_removed: { label: 'The page is offline', sides: ['buyer'] },
  poor_quality: { label: 'Poor quality of the article', sides: ['buyer'] },
  unfair_revision: { label: 'The requested change is not part of the brief', sides: ['seller'] },
  no_response: { label: 'No response', sides: ['buyer', 'seller'] },
  other: { label: 'Another reason', sides: ['buyer', 'seller'] },
} as const satisfies Record<string, { label: string; sides: readonly ('buyer' | 'seller')[] }>;

export type DisputeReason = keyof typeof disputeReasons;
export const disputeReasonNames: readonly DisputeReason[] = Object.keys(disputeReasons).filter(isDisputeReason);

function isDisputeReason(value: string): value is DisputeReason {
  return Object.hasOwn(disputeReasons, value);
}

/** Checks whether a side can choose a reason. */
export const isReasonOf = (side: 'buyer' | 'seller', reason: string): boolean =>
  !isDisputeReason(reason) || disputeReasons[reason].sides.some((one) => one === side);

/** Returns the label of a reason; a reason in other words is shown as it is. */
export const formatDisputeReason = (reason: string): string =>
  isDisputeReason(reason) ? disputeReasons[reason].label : reason;

/** Lists the reasons that a side can choose, as the options of a form. */
export const listReasonsOf = (side: 'buyer' | 'seller'): { value: string; label: string }[] =>
  disputeReasonNames
    .filter((reason) => isReasonOf(side, reason))
    .map((reason) => ({ value: reason, label: disputeReasons[reason].label }));

const percentField = z
  .int('Enter a whole number from 0 to 100.')
  .min(0, 'Enter a whole number from 0 to 100.')
  .max(100, 'Enter a whole number from 0 to 100.');
const staleVersion = versionField.optional().describe('The version the request is based on; a stale one is refused.');

/** The body of POST /api/orders/{id}/dispute and /api/seller/orders/{id}/dispute. */
export const openDisputeBody = z.object({
  reason: nameField('Choose a reason.', 200).describe(
    `One of ${disputeReasonNames.join(', ')}, or another reason in words.`,
  ),
  text: z.string('Enter a text.').trim().max(4000, 'Use at most 4,000 characters.').default(''),
  /** The version of the placement. */
  version: staleVersion,
});
export type OpenDisputeInput = z.output<typeof openDisputeBody>;

const disputeId = z.string().trim().min(1).max(64);
export const disputeIdParams = z.object({ id: disputeId });
export const proposalParams = z.object({ id: disputeId, n: idTextField('Enter the number of a proposal.') });

/** The body of the changes of a dispute that have no other input; it can be empty. */
export const disputeVersionBody = z.object({ version: staleVersion });

/** The body of POST /api/disputes/{id}/proposals. */
export const proposeBody = disputeVersionBody.extend({
  buyerPercent: percentField.describe('The share of the charge that returns to the buyer.'),
});
export type ProposeInput = z.output<typeof proposeBody>;

/** The body of POST /api/admin/disputes/{id}/decide. */
export const decideBody = proposeBody.extend({
  note: proseField('Explain the decision.', 2000).describe(
    'The reasons of the decision, which the buyer and the seller read.',
  ),
});
export type DecideInput = z.output<typeof decideBody>;

const disputeSortKeys = ['age', 'amount'] as const;
const parties = ['buyer', 'seller'] as const;

/** The query of GET /api/admin/disputes. */
export const disputesQuery = pageQuery(25, 100).extend({
  state: choiceParam(['open', 'ended']).optional().describe('Without it, open disputes are first.'),
  reason: choiceParam(disputeReasonNames).optional(),
  openedBy: choiceParam(parties).optional(),
  q: z.string().trim().max(200).optional().describe('The number of an order.'),
  sort: choiceParam(disputeSortKeys)
    .default('age')
    .describe('`age`: open ones oldest first, then ended ones newest first. `amount`: the largest amount first.'),
  cursor: idCursorField,
});
export type DisputesFilter = Pick<z.output<typeof disputesQuery>, 'state' | 'reason' | 'openedBy' | 'q'>;
export type DisputeSort = (typeof disputeSortKeys)[number];

const party = z.enum(['buyer', 'seller', 'staff']);

/** A dispute as its parties and staff see it. */
export const disputeResponse = z
  .object({
    id: z.string(),
    orderId: z.int(),
    state: z.enum(disputeStates),
    openedBy: party,
    reason: z.string(),
    text: z.string(),
    amountCents: z
      .int()
      .describe(
        "The amount in dispute, in USD cents: the charge with its tax, and for the seller the seller's share of the charge.",
      ),
    proposals: z.array(
      z.object({
        n: z.int(),
        by: party,
        buyerPercent: z.int(),
        at: z.iso.datetime(),
        acceptedAt: z.iso.datetime().nullable(),
      }),
    ),
    silenceDueAt: z.iso
      .datetime()
      .nullable()
      .describe('When the newest proposal counts as accepted by the other side, unless that side answers.'),
    outcome: z.enum(disputeOutcomes).nullable(),
    buyerPercent: z.int().nullable(),
    note: z.string(),
    decidedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    version: z.int().describe('The version to send with a change, so that concurrent changes are detected.'),
  })
  .meta({ title: 'Dispute' });

/** A dispute in the staff's list. */
export const adminDisputeResponse = disputeResponse
  .extend({
    website: z.string(),
    chargedCents: z.int(),
    earnsCents: z.int().describe("The seller's share of the charge, in USD cents."),
    returnedCents: z.int().nullable().describe('USD cents that were returned to the buyer; null while it is open.'),
    userName: z.string(),
    userEmail: z.string(),
    sellerName: z.string(),
    sellerEmail: z.string(),
  })
  .meta({ title: 'AdminDispute' });

/** The response of GET /api/admin/disputes. */
export const adminDisputesResponse = z.object({
  disputes: z.array(adminDisputeResponse),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

/** A dispute's row with its order, its placement and its proposals, the first one first. */
export type DisputeRow = typeof disputes.$inferSelect & {
  proposals: (typeof disputeProposals.$inferSelect)[];
  website: string;
  chargedCents: number;
  buyerId: string;
  projectId: string;
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
