import { and, desc, eq, gt, inArray, isNull, max, min, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { announcements } from '../../db/schema/announcements';
import { bellReads } from '../../db/schema/bell-reads';
import { type NoticeKind, notices } from '../../db/schema/notices';
import { users } from '../../db/schema/users';
import { isSellerRole } from '../acl/permissions';
import { hasPermission } from '../acl/require';
import type { AnnouncementAudience, AnnouncementType } from '../announcements/kinds';
import type { Actor } from '../auth/actor';

/** Items that one bell shows, more where more are unread, and for how long it does. */
const shown = 12;
const mostShown = 100;
const keptDays = 60;

type Told = { key: string /** ISO 8601. */; at: string; isUnread: boolean };
/** What others made of a seller's sites: the first of those that changed together, and how many did. */
export type SiteItem = Told & { kind: NoticeKind; subject: string; sites: number };
/** What an admin told many people at once. */
export type AnnouncementItem = Told & {
  kind: 'announcement';
  type: AnnouncementType;
  title: string;
  message: string;
};
export type BellItem = SiteItem | AnnouncementItem;
export type Bell = {
  items: BellItem[];
  unread: number;
  /** Unread and older than what is shown. */
  unshown: number;
};

export type BellPerson = Pick<Actor, 'userId' | 'role' | 'permissions'>;

/**
 * What a person's bell tells, newest first: the last dozen, or all that is unread, as opening it counts as reading it.
 * What one change did to several sites is one item.
 */
export async function getBell(person: BellPerson): Promise<Bell> {
  const [ofSites, announced, unread] = await Promise.all([
    listNotices(person),
    listAnnounced(person),
    countUnread(person),
  ]);
  const newest = [...ofSites, ...announced].sort((one, other) => other.at.localeCompare(one.at)).slice(0, mostShown);
  const items = newest.filter((item, index) => index < shown || item.isUnread);
  const told = items.filter((item) => item.isUnread).map((item) => ('sites' in item ? item.sites : 1));
  return { items, unread, unshown: Math.max(0, unread - told.reduce((sum, count) => sum + count, 0)) };
}

const counted = z.tuple([z.object({ unread: z.coerce.number() })]);

/** How much of a person's bell they have not read; one round trip, for every page. */
export async function countUnread(person: BellPerson): Promise<number> {
  const rows = await db().execute(sql`
    select (select count(*) from ${notices} where ${ownNotices(person)} and ${isUnread(person, sql`${notices.createdAt}`)})
      + (select count(*) from ${announcements} where ${announcedTo(person)} and ${isUnread(person, sql`${announcements.createdAt}`)})
      as unread`);
  return counted.parse([...rows])[0].unread;
}

async function listNotices(person: BellPerson): Promise<SiteItem[]> {
  const rows = await db()
    .select({
      id: max(notices.id),
      kind: notices.kind,
      subject: min(notices.subject),
      sites: sql<number>`count(*)`.mapWith(Number),
      at: notices.createdAt,
      isUnread: sql<boolean>`bool_or(${isUnread(person, sql`${notices.createdAt}`)})`,
    })
    .from(notices)
    .where(ownNotices(person))
    .groupBy(notices.createdAt, notices.kind)
    .orderBy(desc(notices.createdAt), desc(max(notices.id)))
    .limit(mostShown);
  return rows.map(({ id, subject, at, ...row }) => ({
    ...row,
    key: `notice ${id}`,
    subject: subject ?? '',
    at: at.toISOString(),
  }));
}

async function listAnnounced(person: BellPerson): Promise<AnnouncementItem[]> {
  const rows = await db()
    .select({
      id: announcements.id,
      type: announcements.type,
      title: announcements.title,
      message: announcements.message,
      at: announcements.createdAt,
      isUnread: sql<boolean>`${isUnread(person, sql`${announcements.createdAt}`)}`,
    })
    .from(announcements)
    .where(announcedTo(person))
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(mostShown);
  return rows.map(({ id, at, ...row }) => ({ ...row, kind: 'announcement', key: id, at: at.toISOString() }));
}

function ownNotices({ userId }: BellPerson): SQL | undefined {
  return and(eq(notices.userId, userId), isRecent(sql`${notices.createdAt}`));
}

/** What was announced to somebody like this person, and not before they were here. */
function announcedTo(person: BellPerson): SQL | undefined {
  const joinedAt = sql`(select ${users.createdAt} from ${users} where ${users.id} = ${person.userId})`;
  return and(
    isNull(announcements.deletedAt),
    inArray(announcements.audience, audiencesOf(person)),
    isRecent(sql`${announcements.createdAt}`),
    gt(announcements.createdAt, joinedAt),
  );
}

function audiencesOf(person: BellPerson): AnnouncementAudience[] {
  if (hasPermission(person, 'AdminDashboard')) return ['everyone', 'staff'];
  return ['everyone', isSellerRole(person.role) ? 'sellers' : 'customers'];
}

const isRecent = (at: SQL) => sql`${at} > now() - make_interval(days => ${keptDays})`;

function isUnread({ userId }: BellPerson, at: SQL): SQL {
  return sql`${at} > coalesce((select ${bellReads.readAt} from ${bellReads} where ${bellReads.userId} = ${userId}), '-infinity'::timestamptz)`;
}
