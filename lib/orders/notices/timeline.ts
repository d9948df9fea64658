import { and, asc, desc, eq, lt, notLike } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { type OrderStatus, orderStatuses } from '@/db/schema/orders';
import type { PlacementRole, placementEvents } from '@/db/schema/placements';
import { listBuyersSide } from '@/lib/access/account-controllers';
import { isSellerRole } from '@/lib/access/permissions';
import { formatUsd } from '@/lib/money';
import { toBuyerStatus } from '@/lib/orders/contract';

/** An event in an order's history. */
export type TimelineEntry = {
  id: number;
  at: string;
  /** The display name of the person who made the change. */
  by: string;
  role: PlacementRole;
  /** Who made it; null for the system, and for a buyer the other sides. */
  userId: string | null;
  /** Descriptions of the changes. */
  texts: string[];
  /** The new status, or null if the status did not change. */
  status: OrderStatus | null;
  /** The new comment, or ''. */
  comment: string;
};

/** Who reads a history: staff, or a member of the buyer's account. Without a member, every buyer is "You". */
type TimelineReader = { side: 'staff' | 'buyer'; memberId?: string | undefined };

/** The parts of `before` and `after` in the audit log that the history shows. */
const change = z
  .object({
    status: z.enum(orderStatuses),
    linkUrl: z.string(),
    adminComments: z.string(),
    fileName: z.string(),
    /** The name of who requested an order that another person approved. */
    requestedBy: z.string(),
    /** How the client approved it. */
    approval: z.string(),
  })
  .partial();

/**
 * Returns the history of an order from the audit log, oldest first.
 * @param side staff see names and every status; the buyer sees "You", the names of colleagues, "Seller",
 * "Our team" or "System", and the buyer statuses
 * @param memberId the member of the buyer's account who reads it
 */
export async function getTimeline(
  order: { id: number; accountId: string },
  side: TimelineReader['side'],
  memberId?: string,
): Promise<TimelineEntry[]> {
  const [rows, buyers] = await Promise.all([
    db().select().from(auditLogs).where(isAboutOrder(order)).orderBy(asc(auditLogs.id)),
    listBuyersSide(order.accountId, db()),
  ]);
  return rows.map((row) => toEntry(row, order, buyers, { side, memberId })).filter(({ texts }) => texts.length > 0);
}

/**
 * Reads a page of the history, newest first, without the steps of a placement (`placement_events`). Entries that the
 * reader does not see have no texts.
 * @param before the id of an entry; without it, the newest page
 */
export async function listTimelinePage(
  order: { id: number; accountId: string },
  reader: TimelineReader,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<TimelineEntry[]> {
  const [rows, buyers] = await Promise.all([
    db()
      .select()
      .from(auditLogs)
      .where(
        and(
          isAboutOrder(order),
          notLike(auditLogs.action, 'placement.%'),
          before === undefined ? undefined : lt(auditLogs.id, before),
        ),
      )
      .orderBy(desc(auditLogs.id))
      .limit(limit),
    listBuyersSide(order.accountId, db()),
  ]);
  return rows.map((row) => toEntry(row, order, buyers, reader));
}

/** Builds the condition for the audit lines of an order. */
export const isAboutOrder = ({ id }: { id: number }) =>
  and(eq(auditLogs.entityType, 'order'), eq(auditLogs.entityId, String(id)));

function toEntry(
  row: typeof auditLogs.$inferSelect,
  order: { accountId: string },
  buyers: BuyersSide,
  reader: TimelineReader,
): TimelineEntry {
  const [before, after] = mapToReader(
    reader.side === 'staff',
    change.catch({}).parse(row.before ?? {}),
    change.catch({}).parse(row.after ?? {}),
  );
  const role = getRole(row, order.accountId, buyers);
  const isColleague = role === 'buyer' && reader.memberId !== undefined && row.userId !== reader.memberId;
  const by = reader.side === 'staff' || isColleague ? row.user : buyerLabels[role];
  return {
    id: row.id,
    at: row.timestamp.toISOString(),
    by,
    role,
    // Buyers learn the ids of their own side only.
    userId: reader.side === 'staff' || role === 'buyer' ? row.userId : null,
    texts: [
      ...describeChanges(row.action, row.amountCents ?? 0, before, after),
      ...(after.requestedBy === undefined ? [] : [describeApproval(after.requestedBy, row.userId, by)]),
    ],
    status: after.status ?? null,
    comment: after.adminComments ?? '',
  };
}

/** Buyers see no names, except of their colleagues. */
const buyerLabels: Record<PlacementRole, string> = {
  buyer: 'You',
  seller: 'Seller',
  staff: 'Our team',
  system: 'System',
};

type BuyersSide = Awaited<ReturnType<typeof listBuyersSide>>;
type Author = Pick<typeof auditLogs.$inferSelect, 'userId' | 'role' | 'timestamp'>;

/** A member of the account acts for the buyer. Who is staff as well acted as staff before joining. */
function getRole({ userId, role, timestamp }: Author, accountId: string, buyers: BuyersSide): PlacementRole {
  if (userId === null) return 'system';
  const since = buyers.get(userId);
  if (userId === accountId || (since && (since <= timestamp || role === 'User'))) return 'buyer';
  return isSellerRole(role) ? 'seller' : 'staff';
}

type Change = z.output<typeof change>;

/** Describes who approved an order. The answer of a client behind a link has an entry of its own. */
const describeApproval = (requestedBy: string, userId: string | null, by: string): string =>
  userId === null
    ? `Requested by ${requestedBy}`
    : `Requested by ${requestedBy}, approved by ${by === buyerLabels.buyer ? 'you' : by}`;

/** Maps statuses to the buyer's ones and removes a change between two statuses that look the same to the buyer. */
function mapToReader(isStaff: boolean, before: Change, after: Change): [Change, Change] {
  if (isStaff || !after.status) return [before, after];
  const from = before.status && toBuyerStatus(before.status);
  const to = toBuyerStatus(after.status);
  if (from !== to)
    return [
      { ...before, status: from },
      { ...after, status: to },
    ];
  const { status: _before, ...earlier } = before;
  const { status: _after, ...later } = after;
  return [earlier, later];
}

function describeChanges(action: string, amountCents: number, before: Change, after: Change): string[] {
  const money = formatUsd(amountCents);
  if (action === 'order.created') return [`Ordered, ${money} paid from the wallet`];
  if (action === 'order.approved_by_client') return [after.approval ?? ''];
  if (action === 'order.deleted') return ['Deleted'];
  if (action.endsWith('.brief_changed')) return ['Brief changed'];
  if (action === 'order.content_added') return [`Content delivered: ${after.fileName ?? ''}`];
  if (action === 'order.content_replaced') return [`Content replaced: ${after.fileName ?? ''}`];
  return [
    after.status ? `Status changed from ${before.status ?? 'none'} to ${after.status}` : '',
    (action === 'order.refunded' || action.startsWith('placement.')) && amountCents > 0
      ? `${money} returned to the wallet`
      : '',
    action === 'order.recharged' && amountCents > 0 ? `${money} taken from the wallet again` : '',
    describeLinkChange(before.linkUrl, after.linkUrl),
    after.adminComments === '' ? 'Comment removed' : after.adminComments ? 'Comment added' : '',
  ].filter(Boolean);
}

function describeLinkChange(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return '';
  if (after === '') return 'Live link removed';
  return before ? 'Live link changed' : 'Live link set';
}

type Side = 'buyer' | 'seller' | 'staff';
type PlacementEvent = Pick<
  typeof placementEvents.$inferSelect,
  'action' | 'fromState' | 'role' | 'reason' | 'note' | 'returnedCents'
>;
type Described = { texts: string[]; note: string };

/**
 * Describes a step of a placement for one side; null for a step that the room does not show. The seller does not learn
 * what was returned to the buyer, which would reveal the price.
 */
export function describeEvent(event: PlacementEvent, side: Side): Described | null {
  const { action, fromState, role, reason, note, returnedCents } = event;
  const toText = Object.hasOwn(stepTexts, action) ? stepTexts[action] : undefined;
  if (!toText) return null;
  const text = toText({ who: role === side ? 'You' : actors[role], fromState, role, side, note });
  const returned =
    returnedCents > 0 && side !== 'seller'
      ? `${formatUsd(returnedCents)} was returned to ${side === 'buyer' ? 'your' : "the buyer's"} wallet.`
      : '';
  const words = textsOfNote.includes(action) ? reason : [reason, note].filter(Boolean).join('\n');
  return { texts: [text, returned].filter(Boolean), note: words };
}

/** The steps whose note is part of the text. */
const textsOfNote = ['extension_asked', 'proposal_made', 'guarantee_extended'];

const actors: Record<PlacementRole, string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
  system: 'The system',
};

type TextOptions = {
  /** The actor as the beginning of a sentence. */
  who: string;
  fromState: PlacementEvent['fromState'];
  role: PlacementRole;
  side: Side;
  note: string;
};

/** By the action of the event (lib/orders/contract.ts). */
const stepTexts: Record<string, (options: TextOptions) => string> = {
  ordered: ({ side }) => (side === 'seller' ? 'Your site was ordered.' : 'The order was offered to the seller.'),
  brief_changed: ({ who }) => `${who} changed the brief.`,
  accepted: ({ who }) => `${who} accepted the order.`,
  declined: ({ who }) => `${who} declined the order.`,
  expired: ({ side }) => `${side === 'seller' ? 'You' : 'The seller'} did not answer in time, so the order expired.`,
  cancelled: ({ who, role }) =>
    role === 'system' ? 'The order was canceled because the delivery was late.' : `${who} canceled the order.`,
  delivered: ({ who }) => `${who} delivered the placement.`,
  revision_requested: ({ who }) => `${who} asked for a change.`,
  approved: ({ who, role }) =>
    role === 'system'
      ? 'The delivery was approved, because it was not answered in time.'
      : `${who} approved the delivery.`,
  closed: ({ who, role }) => (role === 'system' ? 'The order was closed.' : `${who} closed the order.`),
  taken_over: ({ who }) => `${who} took over the order.`,
  disputed: ({ who }) => `${who} opened a dispute.`,
  dispute_withdrawn: ({ who, role }) =>
    role === 'system' ? 'The dispute was withdrawn.' : `${who} withdrew the dispute.`,
  settled: describeSettlement,
  proposal_made: ({ who, note }) => note || `${who} made a proposal.`,
  extension_asked: ({ who, note }) =>
    `${who} asked for ${note === '1' ? 'one more calendar day' : `${note} more calendar days`}.`,
  extension_granted: ({ who }) => `${who} granted more days.`,
  extension_refused: ({ who }) => `${who} refused more days.`,
  guarantee_extended: ({ who, note }) =>
    `${who} extended the guarantee by ${note === '1' ? 'one day' : `${note} days`}.`,
  released: ({ who, side }) =>
    `${who} agreed to a cancellation.${side === 'buyer' ? ' You can cancel the order now.' : ''}`,
  became_late: () => 'The delivery is late.',
  link_changed: () => 'A check found the link changed.',
  link_broken: () => 'The link is missing: two checks a day apart did not find it.',
  link_repaired: () => 'A check found the link in order again.',
  lost: () => 'The link was not repaired in time.',
  change_asked: ({ who }) => `${who} asked for a paid change.`,
  change_priced: ({ who, role }) =>
    role === 'system'
      ? 'The price of the change waits for the buyer’s consent.'
      : `${who} named another price for the change.`,
  change_accepted: ({ who, role }) =>
    role === 'buyer' ? `${who} agreed to the price of the change.` : `${who} accepted the change.`,
  change_delivered: ({ who }) => `${who} delivered the change.`,
  change_approved: ({ who, role }) =>
    role === 'system' ? 'The change was approved, because it was not answered in time.' : `${who} approved the change.`,
  change_declined: ({ who }) => `${who} declined the change.`,
  change_withdrawn: ({ who }) => `${who} withdrew the change.`,
  change_expired: ({ role, fromState }) =>
    role === 'system' && (fromState === 'approved' || fromState === 'closed')
      ? 'The change was not answered or delivered in time.'
      : 'The change ended without an approval.',
};

function describeSettlement({ who, role, fromState }: TextOptions): string {
  if (role === 'system') return 'The proposal was not answered in time, which settled the dispute.';
  if (role !== 'staff') return `${who} accepted the proposal, which settled the dispute.`;
  return fromState === 'disputed' ? `${who} decided the dispute.` : `${who} settled the order.`;
}
