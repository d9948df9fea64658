import { and, count, desc, eq, gt, max, min, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { bellReads } from '../../db/schema/bell-reads';
import { type NoticeKind, notices } from '../../db/schema/notices';

/** Notices that one bell shows, and for how long it does. */
const shown = 12;
const keptDays = 60;

export type BellItem = {
  id: number;
  kind: NoticeKind;
  /** The first of the sites that changed together. */
  subject: string;
  /** How many changed together. */
  sites: number;
  /** ISO 8601. */
  at: string;
  isUnread: boolean;
};
export type Bell = { items: BellItem[]; unread: number };

/** What a person's bell tells, newest first. What one change did to several sites is one item. */
export async function getBell(userId: string): Promise<Bell> {
  const unread = sql<boolean>`${notices.createdAt} > coalesce((select ${bellReads.readAt} from ${bellReads} where ${bellReads.userId} = ${userId}), '-infinity'::timestamptz)`;
  const own = and(eq(notices.userId, userId), gt(notices.createdAt, sql`now() - make_interval(days => ${keptDays})`));
  const [rows, [counted]] = await Promise.all([
    db()
      .select({
        id: max(notices.id),
        kind: notices.kind,
        subject: min(notices.subject),
        sites: count(),
        at: notices.createdAt,
        isUnread: sql<boolean>`bool_or(${unread})`,
      })
      .from(notices)
      .where(own)
      .groupBy(notices.createdAt, notices.kind)
      .orderBy(desc(notices.createdAt), desc(max(notices.id)))
      .limit(shown),
    db()
      .select({ unread: sql<number>`count(*) filter (where ${unread})`.mapWith(Number) })
      .from(notices)
      .where(own),
  ]);
  const items = rows.map(({ id, subject, at, ...row }) => ({
    ...row,
    id: id ?? 0,
    subject: subject ?? '',
    at: at.toISOString(),
  }));
  return { items, unread: counted?.unread ?? 0 };
}
