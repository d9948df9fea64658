import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type PgColumn, unionAll } from 'drizzle-orm/pg-core';
import { cache } from 'react';
import { z } from 'zod';
import { db } from '@/db/client';
import { countRows } from '@/db/count-up-to';
import { prepared } from '@/db/prepared';
import type { Reading } from '@/db/replicas';
import { auditLogs } from '@/db/schema/audit';
import { isToRepair, linkWatches } from '@/db/schema/links';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { orders } from '@/db/schema/orders';
import { isToAnswer, isToPublish, placements } from '@/db/schema/placements';
import { type SiteStatus, siteStatuses, sites } from '@/db/schema/sites';
import { getReader, type NotificationUser, unreadCount } from '@/lib/notifications/notifications';
import { flagKey, isFlagOffIn } from '@/lib/settings/feature-flags';

/** The number of orders to answer is counted up to this one. */
const shownToAnswer = 99;

/** Reads the data of the seller portal's layout in one round trip. React `cache` shares it with the page. */
export const getSellerFrame = cache(async (person: NotificationUser) => {
  const [row] = await frame().execute(getReader(person));
  const { unread = 0, toAnswer = 0, hasPayouts = false } = row ?? {};
  return {
    unread,
    toAnswer: { total: Math.min(toAnswer, shownToAnswer), isCapped: toAnswer > shownToAnswer },
    hasPayouts,
  };
});

export type SellerFrame = Awaited<ReturnType<typeof getSellerFrame>>;

const placeholders = { userId: sql.placeholder('userId'), audience: sql.placeholder('audience') };

const frame = prepared((on) =>
  on
    .select({
      unread: unreadCount(placeholders),
      toAnswer: sql<number>`(select count(*) from (
        select from ${placements} where ${placements.sellerId} = ${placeholders.userId} and ${isToAnswer}
        limit ${sql.raw(String(shownToAnswer + 1))}) as counted)`
        .mapWith(Number)
        .as('to_answer'),
      hasPayouts: sql<boolean>`not ${isFlagOffIn(flagKey('payouts'))}`.as('has_payouts'),
    })
    .from(sql`(values (1)) as once`)
    .prepare('seller_frame'),
);

/** What the seller must do with an order, and until when. */
export type DueOrder = { id: number; website: string; work: keyof typeof workNames; dueAt: Date };

export const workNames = {
  offer: 'Answer',
  publication: 'Publish',
  asked: 'Answer the change',
  accepted: 'Make the change',
};

/** Counts the orders that a seller must answer, publish and repair, and lists what is due next, also of paid changes. */
export async function getSellerWork(sellerId: string, keep = 6, on: Reading = db()) {
  const mine = (condition: SQL) => and(eq(placements.sellerId, sellerId), condition);
  const countOf = (condition: SQL) => countRows(placements, mine(condition), on);
  const columnsOf = (work: DueOrder['work'], dueAt: PgColumn) => ({
    website: orders.website,
    dueAt: sql`${dueAt}`.mapWith((at: string): Date | null => new Date(at)).as('due_at'),
    work: sql<DueOrder['work']>`${work}::text`.as('work'),
  });
  const nextOf = (work: 'offer' | 'publication', condition: SQL, dueAt: PgColumn) =>
    on
      .select({ id: placements.orderId, ...columnsOf(work, dueAt) })
      .from(placements)
      .innerJoin(orders, eq(orders.id, placements.orderId))
      .where(mine(condition))
      .orderBy(dueAt, placements.orderId)
      .limit(keep);
  const changesOf = (work: 'asked' | 'accepted') =>
    on
      .select({ id: orderChanges.orderId, ...columnsOf(work, orderChanges.dueAt) })
      .from(orderChanges)
      .innerJoin(orders, eq(orders.id, orderChanges.orderId))
      .where(and(eq(orderChanges.sellerId, sellerId), isOpenChange, eq(orderChanges.state, work)))
      .orderBy(orderChanges.dueAt, orderChanges.orderId)
      .limit(keep);
  const [toAnswer, toPublish, toRepair, due] = await Promise.all([
    countOf(isToAnswer),
    countOf(isToPublish),
    countRows(linkWatches, and(eq(linkWatches.sellerId, sellerId), isToRepair), on),
    unionAll(
      nextOf('offer', isToAnswer, placements.answerDueAt),
      nextOf('publication', isToPublish, placements.deliveryDueAt),
      changesOf('asked'),
      changesOf('accepted'),
    ),
  ]);
  const next = due.flatMap(({ dueAt, ...order }): DueOrder[] => (dueAt ? [{ ...order, dueAt }] : []));
  next.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  return { toAnswer, toPublish, toRepair, next: next.slice(0, keep) };
}

export type SellerWork = Awaited<ReturnType<typeof getSellerWork>>;

export type SellerEvent = {
  id: string;
  siteName: string;
  at: Date;
  /** The new status; null for the event that the site was created. */
  status: SiteStatus | null;
};

/** A seller's newest sites, whose events are read one by one. */
const newestSites = 300;
/** The newest entries of the log, in which the events of a seller's other sites are found. */
const newestEntries = 5_000;

/**
 * Lists the latest events of a seller's own sites: creation, and changes of status from the audit log, newest first. No
 * other entries are read, because they contain staff names and prices hidden from sellers. Of a seller with more than
 * `newestSites`, older changes of older sites are left out.
 */
export async function getSellerActivity(ownerId: string, keep = 6, on: Reading = db()): Promise<SellerEvent[]> {
  const own = await on
    .select({ id: sites.id, siteName: sites.name, at: sites.createdAt })
    .from(sites)
    .where(and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt)))
    .orderBy(desc(sites.id))
    .limit(newestSites);
  const ids = sql.param(own.map(({ id }) => id));
  const changed = await Promise.all([
    listChanges(
      on,
      keep,
      sql`unnest(${ids}::int[]) as own(site_id) cross join lateral (
        select * from ${auditLogs} where entity_type = 'site' and entity_id = own.site_id::text and ${isStatusChange}
        order by id desc limit ${keep}
      ) as change join ${sites} on ${sites.id} = own.site_id`,
    ),
    own.length < newestSites
      ? []
      : listChanges(
          on,
          keep,
          sql`(select * from ${auditLogs} order by id desc limit ${newestEntries}) as change
          join ${sites} on ${sites.id} = ${siteIdOfChange} and ${sites.ownerId} = ${ownerId}
            and ${sites.deletedAt} is null and ${isStatusChange}`,
        ),
  ]);
  const added = own.slice(0, keep).map(({ id, ...site }) => ({ ...site, id: `added ${id}`, status: null }));
  // A change may be in both lists.
  const events = [...added, ...changed.flat()];
  return mergeNewest<SellerEvent>([[...new Map(events.map((event) => [event.id, event])).values()]], keep);
}

const isStatusChange = sql`before ->> 'status' <> after ->> 'status'`;
/** Null for entries about other records. */
const siteIdOfChange = sql`case when change.entity_type = 'site' and change.entity_id ~ '^[0-9]{1,9}$'
  then change.entity_id::int end`;

const changeRow = z.object({ id: z.coerce.number(), name: z.string(), at: z.coerce.date(), became: z.string() });

/** Lists the newest changes of status. @param source the tables `change` and `sites` */
async function listChanges(on: Reading, keep: number, source: SQL): Promise<SellerEvent[]> {
  const rows = await on.execute(sql`
    select change.id, ${sites.name} as name, change.timestamp as at, change.after ->> 'status' as became
    from ${source} order by change.id desc limit ${keep}`);
  return z
    .array(changeRow)
    .parse([...rows])
    .flatMap(({ id, name, at, became }) => {
      const status = siteStatuses.find((known) => known === became);
      return status ? [{ id: `changed ${id}`, siteName: name, at, status }] : [];
    });
}

/** Merges several lists and returns the newest `keep` items. */
export function mergeNewest<T extends { at: Date }>(lists: readonly (readonly T[])[], keep: number): T[] {
  return lists
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, keep);
}
