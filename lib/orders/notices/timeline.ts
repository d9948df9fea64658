import { and, asc, desc, eq, inArray, lt, notLike, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { accountControllers, accountMembers, accounts } from '@/db/schema/accounts';
import { auditLogs } from '@/db/schema/audit';
import { type OrderStatus, orderStatuses } from '@/db/schema/orders';
import type { PlacementRole, placementEvents } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
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
  /** Descriptions of the changes. */
  texts: string[];
  /** The new status, or null if the status did not change. */
  status: OrderStatus | null;
  /** The new comment, or ''. */
  comment: string;
};

/** The parts of `before` and `after` in the audit log that the history shows. */
const change = z
  .object({
    status: z.enum(orderStatuses),
    linkUrl: z.string(),
    adminComments: z.string(),
    fileName: z.string(),
    /** Who requested an order that another member or the client approved. */
    requestedBy: z.string(),
  })
  .partial();

/**
 * Returns the history of an order from the audit log, oldest first.
 * @param reader 'staff' sees names and every status; a buyer sees the names of the members of a team, otherwise "You",
 * "Seller", "Our team" or "System", and the buyer statuses
 */
export async function getTimeline(
  order: { id: number; accountId: string },
  reader: 'staff' | 'buyer',
): Promise<TimelineEntry[]> {
  const rows = await db().select().from(auditLogs).where(isAboutOrder(order)).orderBy(asc(auditLogs.id));
  const members = await listMembers(order, rows);
  return rows.map((row) => toEntry(row, members, reader)).filter(({ texts }) => texts.length > 0);
}

/**
 * Reads a page of the history, newest first, without the steps of a placement (`placement_events`). Entries that the
 * reader does not see have no texts.
 * @param before the id of an entry; without it, the newest page
 */
export async function listTimelinePage(
  order: { id: number; accountId: string },
  reader: 'staff' | 'buyer',
  { before, limit }: { before: number | undefined; limit: number },
): Promise<TimelineEntry[]> {
  const rows = await db()
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
    .limit(limit);
  const members = await listMembers(order, rows);
  return rows.map((row) => toEntry(row, members, reader));
}

/** The persons of the buyer's account by id, with the names by which a buyer sees them. */
type Members = ReadonlyMap<string, string>;

/**
 * Lists the persons of a buyer's account, also former members of a team, who are named in audit lines. The person of a
 * personal account is "You".
 */
async function listMembers(
  { accountId }: { accountId: string },
  rows: readonly (typeof auditLogs.$inferSelect)[],
): Promise<Members> {
  const named = rows.flatMap(({ userId, after }) => [userId, change.catch({}).parse(after ?? {}).requestedBy]);
  const ids = [...new Set(named)].filter((id) => typeof id === 'string');
  if (ids.every((id) => id === accountId)) return new Map([[accountId, buyerLabels.buyer]]);
  const isMember = sql`exists (select from ${accountMembers}
    where ${accountMembers.accountId} = ${accountId} and ${accountMembers.userId} = ${users.id})`;
  // Of a personal account, these are staff who could act through it.
  const wasMember = sql`exists (select from ${accountControllers}
    join ${accounts} on ${accounts.id} = ${accountControllers.accountId} and ${accounts.kind} = 'team'
    where ${accountControllers.accountId} = ${accountId} and ${accountControllers.controllerId} = ${users.id})`;
  const found = await db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(inArray(users.id, ids), or(isMember, wasMember)));
  return new Map(
    found.map(({ id, name, email }) => [id, id === accountId ? buyerLabels.buyer : name || email] as const),
  );
}

/** Builds the condition for the audit lines of an order. */
export const isAboutOrder = ({ id }: { id: number }) =>
  and(eq(auditLogs.entityType, 'order'), eq(auditLogs.entityId, String(id)));

function toEntry(row: typeof auditLogs.$inferSelect, members: Members, reader: 'staff' | 'buyer'): TimelineEntry {
  const [before, after] = mapToReader(
    reader,
    change.catch({}).parse(row.before ?? {}),
    change.catch({}).parse(row.after ?? {}),
  );
  const role = getRole(row, members);
  return {
    id: row.id,
    at: row.timestamp.toISOString(),
    by: reader === 'staff' ? row.user : (members.get(row.userId ?? '') ?? buyerLabels[role]),
    role,
    texts: describeChanges(row, members, before, after),
    status: after.status ?? null,
    comment: after.adminComments ?? '',
  };
}

/** Buyers see no names but those of their team. */
const buyerLabels: Record<PlacementRole, string> = {
  buyer: 'You',
  seller: 'Seller',
  staff: 'Our team',
  system: 'System',
};

function getRole({ userId, role }: { userId: string | null; role: string }, members: Members): PlacementRole {
  if (userId === null) return 'system';
  if (members.has(userId)) return 'buyer';
  return isSellerRole(role) ? 'seller' : 'staff';
}

type Change = z.output<typeof change>;

/** Maps statuses to the buyer's ones and removes a change between two statuses that look the same to the buyer. */
function mapToReader(reader: 'staff' | 'buyer', before: Change, after: Change): [Change, Change] {
  if (reader === 'staff' || !after.status) return [before, after];
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

type AuditLine = Pick<typeof auditLogs.$inferSelect, 'action' | 'amountCents' | 'userId'>;

function describeChanges(
  { action, amountCents, userId }: AuditLine,
  members: Members,
  before: Change,
  after: Change,
): string[] {
  const money = formatUsd(amountCents ?? 0);
  if (action === 'order.created') {
    const { requestedBy } = after;
    const ordered = `Ordered, ${money} paid from the wallet`;
    if (requestedBy === undefined) return [ordered];
    const requester = members.get(requestedBy) ?? 'a former member';
    return [
      ordered,
      `Requested by ${requester}, approved by ${userId === null ? 'the client' : (members.get(userId) ?? 'a former member')}`,
    ];
  }
  if (action === 'order.deleted') return ['Deleted'];
  if (action.endsWith('.brief_changed')) return ['Brief changed'];
  if (action === 'order.content_added') return [`Content delivered: ${after.fileName ?? ''}`];
  if (action === 'order.content_replaced') return [`Content replaced: ${after.fileName ?? ''}`];
  return [
    after.status ? `Status changed from ${before.status ?? 'none'} to ${after.status}` : '',
    (action === 'order.refunded' || action.startsWith('placement.')) && (amountCents ?? 0) > 0
      ? `${money} returned to the wallet`
      : '',
    action === 'order.recharged' && (amountCents ?? 0) > 0 ? `${money} taken from the wallet again` : '',
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
