import { and, desc, eq, gt, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { AnnouncementAudience, AnnouncementType } from '@/db/enums';
import { insertRows } from '@/db/insert-rows';
import { prepared } from '@/db/prepared';
import { accounts } from '@/db/schema/accounts';
import { announcements } from '@/db/schema/announcements';
import { bellReads } from '@/db/schema/bell-reads';
import type { EventAudience } from '@/db/schema/events';
import { type NoticeKind, noticeKinds, notices } from '@/db/schema/notices';
import { users } from '@/db/schema/users';
import { type Concerned, listConcerned, shownName } from '@/lib/access/accounts';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { isSellerRole, type Permission } from '@/lib/access/permissions';
import { recordNoticeEvents } from '@/lib/events/record-notices';
import { groupedKinds, type News, personalAccountName } from './notice-words';

/**
 * Creates a notification for a user, unless the user made the change.
 * @param forActor also notifies of the user's own change, which another person may have made in a stolen session
 */
export async function createNotification(
  tx: Executor,
  actor: AnyActor,
  notice: NewNotice,
  { forActor = false }: { forActor?: boolean } = {},
): Promise<void> {
  if (forActor || actor.userId !== notice.userId) await insertNotices(tx, [notice]);
}

type Told = { kind: NoticeKind; subject: string; orderId?: number };

/**
 * Creates a notification for each member of an account whom it concerns.
 * @param forActor also for the user who caused it
 */
export async function notifyAccount(
  tx: Executor,
  actor: AnyActor,
  { accountId, right, projectId, ...told }: Concerned & Told,
  { forActor = false }: { forActor?: boolean } = {},
): Promise<void> {
  const members = await listConcerned(tx, { accountId, right, projectId });
  await insertNotices(
    tx,
    members
      .filter(({ userId }) => forActor || userId !== actor.userId)
      .map(({ userId }) => ({ ...told, userId, accountId: userId === accountId ? null : accountId })),
  );
}

type NewNotice = Told & { userId: string; accountId?: string | null };

/** Inserts notices, with an event for each recipient who has a chat. */
export async function insertNotices(tx: Executor, inserted: readonly NewNotice[]): Promise<void> {
  await Promise.all([
    insertNoticeRows(tx, inserted),
    recordNoticeEvents(
      tx,
      inserted.map(({ userId, accountId: teamId, ...notice }) => ({
        ...{ ...rightsOf(notice.kind), ...notice, accountId: userId },
        ...(teamId && { teamId }),
      })),
    ),
  ]);
}

const insertNoticeRows = insertRows(notices, ['userId', 'accountId', 'kind', 'subject', 'orderId']);

/** Returns whose side a kind of notice is about, and the permission that staff need for it. */
function rightsOf(kind: NoticeKind): { audience: EventAudience; permission?: Permission } {
  if (kind === 'payment.disputed') return { audience: 'staff', permission: 'ManagePayments' };
  if (kind === 'refund.requested') return { audience: 'staff', permission: 'ManageWallets' };
  return { audience: /^(?:placement|site|payout|statement)\./.test(kind) ? 'seller' : 'buyer' };
}

/** The number of items shown, the maximum when more are unread, and the retention in days. */
const defaultShown = 12;
const maxShown = 100;
const retentionDays = 60;

type ItemBase = { key: string /** ISO 8601. */; at: string; isUnread: boolean };
/** The account that news are about. `id` is null for news of several accounts, and after the end of the membership. */
type ItemAccount = { id: string | null; name: string };
/** News of a user's sites or orders, or of money. `orderId` is the order of the news of a single order. */
export type SiteItem = ItemBase &
  News & {
    /** Set for news of a buyer to a user with several accounts. */
    account?: ItemAccount;
    /** Whether it is unread and asks for something, or is about money. */
    isFirst: boolean;
  };
/** An announcement by an admin. */
export type AnnouncementItem = ItemBase & {
  kind: 'announcement';
  type: AnnouncementType;
  title: string;
  message: string;
};
export type NotificationItem = SiteItem | AnnouncementItem;
export type NotificationList = {
  items: NotificationItem[];
  /** The time of the newest item. */
  upTo: string;
  unread: number;
  /** The number of unread items that are not shown. */
  unshown: number;
};

export type NotificationUser = Pick<Actor, 'userId' | 'role' | 'permissions'>;

/** The recipient and audience of a query; placeholders in a prepared statement. */
type Reader = { userId: string | Placeholder; audience: AnnouncementAudience | Placeholder };

/**
 * Reads a user's notifications: the newest twelve, and unread ones up to a hundred. Unread ones that ask for something or are
 * about money come first, then the newest.
 */
export async function getNotifications(person: NotificationUser & Pick<Actor, 'memberOf'>): Promise<NotificationList> {
  const [singles, groups, announced, unread] = await Promise.all([
    listSingles(getReader(person)),
    listGroups(getReader(person)),
    listReaderAnnouncements(getReader(person)),
    countUnread(person),
  ]);
  const isFirst = (item: NotificationItem) => 'isFirst' in item && item.isFirst;
  const sorted = [...(await nameAccounts(person, [...singles, ...groups])), ...announced].sort(
    (one, other) => Number(isFirst(other)) - Number(isFirst(one)) || other.at.localeCompare(one.at),
  );
  const items = sorted.slice(0, maxShown).filter((item, index) => index < defaultShown || item.isUnread);
  const shown = items.filter((item) => item.isUnread).length;
  const upTo =
    items
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? '';
  return { items, upTo, unread, unshown: Math.max(0, unread - shown) };
}

/** @property accountIds the teams that the entry is about; with null for the personal account */
type ListedItem = SiteItem & { accountIds: (string | null)[] };

/** Names the accounts that entries are about, if the user has several. */
async function nameAccounts(
  { userId, memberOf }: Pick<Actor, 'userId' | 'memberOf'>,
  items: readonly ListedItem[],
): Promise<SiteItem[]> {
  const ids = [...new Set(items.flatMap(({ accountIds }) => accountIds))].filter((id) => id !== null);
  const teams =
    ids.length === 0
      ? []
      : await db().select({ id: accounts.id, name: shownName }).from(accounts).where(inArray(accounts.id, ids));
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const describe = (id: string | null): ItemAccount =>
    id === null
      ? { id: userId, name: personalAccountName }
      : { id: memberOf.includes(id) ? id : null, name: names.get(id) ?? '' };
  return items.map(({ accountIds, ...item }) => {
    const isOfBuyer = rightsOf(item.kind).audience === 'buyer' && item.kind !== 'chat.off';
    if (!isOfBuyer || (memberOf.length < 2 && ids.length === 0)) return item;
    const about = accountIds.map(describe);
    const [only] = about;
    if (only && about.length === 1) return { ...item, account: only };
    return { ...item, account: { id: null, name: about.map(({ name }) => name).join(', ') } };
  });
}

/** Counts the unread entries of a user's bell. */
export async function countUnread(person: NotificationUser): Promise<number> {
  const [row] = await unread().execute({ ...getReader(person) });
  return row?.unread ?? 0;
}

const placeholders: Reader = { userId: sql.placeholder('userId'), audience: sql.placeholder('audience') };

const unread = prepared((on) =>
  on
    .select({
      unread: unreadCount(placeholders),
    })
    .from(sql`(values (1)) as once`)
    .prepare('bell_unread'),
);

const singleKinds = noticeKinds.filter((kind) => !groupedKinds.includes(kind));
/** Returns the day (UTC) whose notices of a grouped kind are one entry. */
const dayOf = (at: SQL) => sql`date_trunc('day', ${at}, 'UTC')`;

/**
 * Builds the times of the newest notice of each day that meet a condition, of the kind `grouped.kind`, newest first. It reads
 * one notice of a day from an index, whatever their number.
 */
function newestOfDays(reader: Reader, condition: SQL): SQL {
  const newest = (before: SQL) => sql`(select ${notices.createdAt} from ${notices}
    where ${ownNotices(reader)} and ${notices.kind} = grouped.kind and ${condition} and ${notices.createdAt} < ${before}
    order by ${notices.createdAt} desc limit 1)`;
  return sql`(with recursive entry(at) as (
      select ${newest(sql`'infinity'`)}
      union all select ${newest(dayOf(sql`entry.at`))} from entry where entry.at is not null)
    select at from entry where at is not null)`;
}

const eachGrouped = sql`unnest(${sql.param([...groupedKinds])}::text[]) as grouped(kind)`;

/** Builds the count of unread entries in SQL, for a statement that reads other data as well. */
export function unreadCount(reader: Reader): SQL.Aliased<number> {
  return sql<number>`
    (select count(*) from ${notices} where ${ownNotices(reader)} and ${inArray(notices.kind, singleKinds)} and ${isUnreadNotice(reader)})
    + (select count(*) from ${eachGrouped} cross join lateral ${newestOfDays(reader, isUnreadNotice(reader))} as entries)
    + (select count(*) from ${announcements} where ${isAnnouncedTo(reader)} and ${isUnread(reader, sql`${announcements.createdAt}`)})`
    .mapWith(Number)
    .as('unread');
}

/** News that require no action, of which many arrive: they come after the others. */
const routineKinds: NoticeKind[] = [
  ...(['site.approved', 'site.rejected', 'site.pending', 'site.removed'] as const),
  ...(['placement.accepted', 'placement.delivered', 'placement.approved', 'placement.link_repaired'] as const),
  ...(['placement.guarantee_extended', 'placement.change_approved'] as const),
  ...(['order.change_accepted', 'order.change_approved', 'request.approved'] as const),
  ...([
    'placement.extension_granted',
    'placement.message',
    'order.accepted',
    'order.approved',
    'order.message',
  ] as const),
  ...(['order.extension_granted', 'order.link_repaired', 'order.pending', 'order.processing', 'order.live'] as const),
  ...(['order.completed', 'order.link', 'order.comment', 'order.content'] as const),
];

/**
 * Lists notices that are entries of their own: what is unread and not routine first, then the newest. Of each kind it reads
 * from an index the notices that can be shown.
 */
async function listSingles(reader: Reader): Promise<ListedItem[]> {
  const { id, kind, subject, orderId, accountId, createdAt } = notices;
  const newest = (condition: SQL, limit: number) => sql`(select ${id} as id from ${notices}
    where ${ownNotices(reader)} and ${kind} = single.kind and ${condition} order by ${createdAt} desc, ${id} desc limit ${limit})`;
  const unread = isUnreadNotice(reader);
  const candidates = sql`(select newest.id from unnest(${sql.param([...singleKinds])}::text[]) as single(kind) cross join lateral (
    ${newest(unread, maxShown)} union ${newest(sql`true`, defaultShown)}) as newest)`;
  const isFirst = isFirstEntry(unread, sql`${kind}`);
  const rows = await db()
    .select({ id, kind, subject, orderId, accountId, at: createdAt, isUnread: sql<boolean>`(${unread})`, isFirst })
    .from(notices)
    .where(inArray(id, candidates))
    .orderBy(desc(isFirst), desc(createdAt), desc(id))
    .limit(maxShown);
  return rows.map(({ id, at, accountId, ...row }) => ({
    ...row,
    key: `notice ${id}`,
    sites: 1,
    accountIds: [accountId],
    at: at.toISOString(),
  }));
}

/** Lists the entries of a kind and a day in the same order. One is unread if any of its notices is. */
async function listGroups(reader: Reader): Promise<ListedItem[]> {
  const { id, kind, orderId, subject, accountId, createdAt } = notices;
  const unread = isUnreadNotice(reader);
  const inEntry = sql`${ownNotices(reader)} and ${kind} = entry.kind
    and ${createdAt} >= entry.day and ${createdAt} < entry.day + interval '24 hours'`;
  const days = sql`(select distinct grouped.kind, ${dayOf(sql`found.at`)} as day from ${eachGrouped} cross join lateral (
    ${newestOfDays(reader, unread)}
    union all (select at from ${newestOfDays(reader, sql`true`)} as recent limit ${defaultShown})) as found(at))`;
  const isFirst = isFirstEntry(sql`entry.is_unread`, sql`entry.kind`);
  const order = sql`${isFirst} desc, entry.at desc, entry.id desc`;
  // Only the notices of the entries shown are counted.
  const shown = sql`(select * from (
      select entry.kind, entry.day, newest.id, newest.at,
        exists (select from ${notices} where ${inEntry} and ${unread}) as is_unread
      from ${days} as entry cross join lateral (
        select ${id} as id, ${createdAt} as at from ${notices} where ${inEntry} order by ${createdAt} desc, ${id} desc limit 1
      ) as newest) as entry
    order by ${order} limit ${maxShown}) as entry`;
  // The link of an order can change twice on a day.
  const counted = sql`(select count(distinct coalesce(${orderId}, -${id})) as number, min(${subject}) as subject,
      case when min(${orderId}) = max(${orderId}) then min(${orderId}) end as order_id,
      json_agg(distinct ${accountId}) as account_ids
    from ${notices} where ${inEntry}) as counted`;
  const rows = await db()
    .select({
      id: sql<number>`entry.id`.mapWith(id),
      kind: sql<NoticeKind>`entry.kind`,
      subject: sql<string>`counted.subject`,
      sites: sql<number>`counted.number`.mapWith(Number),
      orderId: sql<number | null>`counted.order_id`,
      accountIds: sql<(string | null)[]>`counted.account_ids`,
      at: sql<Date>`entry.at`.mapWith(createdAt),
      isUnread: sql<boolean>`entry.is_unread`,
      isFirst,
    })
    .from(sql`${shown} cross join lateral ${counted}`)
    .orderBy(order);
  return rows.map(({ id, at, ...row }) => ({ ...row, key: `notice ${id}`, at: at.toISOString() }));
}

/** Builds the condition that an entry comes first: it is unread and asks for something, or is about money. */
const isFirstEntry = (isUnread: SQL, kind: SQL) =>
  sql<boolean>`(${isUnread} and ${kind} <> all(${sql.param([...routineKinds])}::text[]))`;

async function listReaderAnnouncements(reader: Reader): Promise<AnnouncementItem[]> {
  const rows = await db()
    .select({
      id: announcements.id,
      type: announcements.type,
      title: announcements.title,
      message: announcements.message,
      at: announcements.createdAt,
      isUnread: sql<boolean>`${isUnread(reader, sql`${announcements.createdAt}`)}`,
    })
    .from(announcements)
    .where(isAnnouncedTo(reader))
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(maxShown);
  return rows.map(({ id, at, ...row }) => ({ ...row, kind: 'announcement', key: id, at: at.toISOString() }));
}

function ownNotices({ userId }: Reader): SQL | undefined {
  return and(eq(notices.userId, userId), isRecent(sql`${notices.createdAt}`));
}

/** Announcements to the user's audience since the user joined. */
function isAnnouncedTo({ userId, audience }: Reader): SQL | undefined {
  const joinedAt = sql`(select ${users.createdAt} from ${users} where ${users.id} = ${userId})`;
  return and(
    isNull(announcements.deletedAt),
    inArray(announcements.audience, ['everyone', audience]),
    isRecent(sql`${announcements.createdAt}`),
    gt(announcements.createdAt, joinedAt),
  );
}

/** Returns the parameters of the prepared statements for a user. */
export function getReader(person: NotificationUser): { userId: string; audience: AnnouncementAudience } {
  if (hasPermission(person, 'AdminDashboard')) return { userId: person.userId, audience: 'staff' };
  return { userId: person.userId, audience: isSellerRole(person.role) ? 'sellers' : 'customers' };
}

const isRecent = (at: SQL) => sql`${at} > now() - make_interval(days => ${retentionDays})`;

const isUnreadNotice = (reader: Reader) =>
  sql`${notices.readAt} is null and ${isUnread(reader, sql`${notices.createdAt}`)}`;

function isUnread({ userId }: Reader, at: SQL): SQL {
  return sql`${at} > coalesce((select ${bellReads.readAt} from ${bellReads} where ${bellReads.userId} = ${userId}), '-infinity'::timestamptz)`;
}

/**
 * Marks an entry of the actor's bell as read, with the notices of its group that had arrived when it was shown. Does
 * nothing for an unknown key.
 */
export async function markNotificationRead(actor: Pick<Actor, 'userId'>, key: string): Promise<void> {
  const id = Number(/^notice (\d{1,15})$/.exec(key)?.[1]);
  if (!Number.isSafeInteger(id)) return;
  const own = eq(notices.userId, actor.userId);
  await db().transaction(async (tx) => {
    const [named] = await tx
      .select({ kind: notices.kind, createdAt: sql`${notices.createdAt}::text`.mapWith(String) })
      .from(notices)
      .where(and(own, eq(notices.id, id)));
    if (!named) return;
    const newest = sql`${named.createdAt}::timestamptz`;
    const inGroup = sql`${notices.createdAt} between date_trunc('day', ${newest}, 'UTC') and ${newest}`;
    await tx
      .update(notices)
      .set({ readAt: sql`now()` })
      .where(
        and(
          own,
          groupedKinds.includes(named.kind) ? and(eq(notices.kind, named.kind), inGroup) : eq(notices.id, id),
          isNull(notices.readAt),
        ),
      );
  });
}

/**
 * Marks the actor's notifications and announcements as read, up to the newest one that the user has seen, so that
 * concurrent ones stay unread.
 * @param upTo its time, in ISO 8601 with milliseconds; the database's has microseconds
 */
export async function markAllNotificationsRead(actor: Pick<Actor, 'userId'>, upTo: string): Promise<void> {
  const readAt = sql`least(${upTo}::timestamptz + interval '1 millisecond', now())`;
  await db()
    .insert(bellReads)
    .values({ userId: actor.userId, readAt })
    .onConflictDoUpdate({
      target: bellReads.userId,
      set: { readAt: sql`greatest(${bellReads.readAt}, excluded.read_at)` },
    });
}
