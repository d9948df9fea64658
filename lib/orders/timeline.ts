import { and, asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';
import { type OrderStatus, orderStatuses } from '../../db/schema/orders';
import { isSellerRole } from '../access/permissions';
import { formatMoney, walletCurrency } from '../money';
import { toBuyerStatus } from './buyer-status';

/** An event in an order's history. */
export type TimelineEntry = {
  id: number;
  at: string;
  /** The display name of the person who made the change. */
  by: string;
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
  })
  .partial();

/**
 * Returns the history of an order from the audit log, oldest first.
 * @param reader 'staff' sees names and every status; a buyer sees "You", "Seller", "Our team" or "System" and the buyer statuses
 */
export async function getTimeline(
  order: { id: number; userId: string },
  reader: 'staff' | 'buyer',
): Promise<TimelineEntry[]> {
  const rows = await db()
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityType, 'order'), eq(auditLogs.entityId, String(order.id))))
    .orderBy(asc(auditLogs.id));
  const entries = rows.map((row) => {
    const [before, after] = mapToReader(
      reader,
      change.catch({}).parse(row.before ?? {}),
      change.catch({}).parse(row.after ?? {}),
    );
    return {
      id: row.id,
      at: row.timestamp.toISOString(),
      by: reader === 'staff' ? row.user : describeActor(row, order.userId),
      texts: describeChanges(row.action, row.amountCents ?? 0, before, after),
      status: after.status ?? null,
      comment: after.adminComments ?? '',
    };
  });
  return entries.filter(({ texts }) => texts.length > 0);
}

/** Buyers see no names. */
function describeActor({ userId, role }: { userId: string | null; role: string }, buyerId: string): string {
  if (userId === buyerId) return 'You';
  if (userId === null) return 'System';
  return isSellerRole(role) ? 'Seller' : 'Our team';
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

function describeChanges(action: string, amountCents: number, before: Change, after: Change): string[] {
  const money = formatMoney(amountCents, walletCurrency);
  if (action === 'order.created') return [`Ordered, ${money} paid from the wallet`];
  if (action === 'order.deleted') return ['Deleted'];
  if (action === 'order.brief_changed') return ['Brief changed'];
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
