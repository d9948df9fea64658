import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { auditLogs, auditUnsealed } from '@/db/schema/audit';
import { events } from '@/db/schema/events';
import { invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { linkWatches } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { payoutBatches } from '@/db/schema/payouts';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { topups, webhookEvents } from '@/db/schema/topups';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Transaction } from '@/db/transaction';
import { isServable, sendingHours } from '@/lib/invoices/delivery/queue';
import { isFlagOn } from '@/lib/settings/feature-flags';

/** Rows of a queue that are read at most: a scrape must not cost more with a longer queue. */
const queueCap = 10_000;

const queueRow = z.object({
  queue: z.string(),
  items: z.number().nullable(),
  oldestSeconds: z.number().nullable(),
  due: z.number().nullable(),
  overdueSeconds: z.number().nullable(),
});

/**
 * A queue: `items` that are not finished and the age of the oldest; `due`, those whose time has come, and for how long
 * the first of them has been due. Null if the queue does not have the figure.
 */
export type QueueFigures = z.output<typeof queueRow>;

type Queue = {
  name: string;
  id: PgColumn;
  /** The condition of one of the queue's partial indexes. */
  where: SQL;
  /** When an item is due; the index is sorted by it. */
  dueAt: PgColumn;
  /** When an item entered the queue; without it, only what is due is counted. */
  since?: SQL;
};

const queues: Queue[] = [
  {
    name: 'mails',
    id: mails.id,
    where: sql`${mails.sentAt} is null and ${mails.failedAt} is null and ${mails.gathersFor} is null`,
    dueAt: mails.nextAttemptAt,
    since: sql`${mails.createdAt}`,
  },
  {
    name: 'provider_events',
    id: webhookEvents.id,
    where: sql`${webhookEvents.retryAt} is not null and ${webhookEvents.processedAt} is null`,
    dueAt: webhookEvents.retryAt,
    since: sql`${webhookEvents.receivedAt}`,
  },
  {
    name: 'source_refunds',
    id: sourceRefunds.id,
    where: sql`${sourceRefunds.nextActionAt} is not null`,
    dueAt: sourceRefunds.nextActionAt,
    since: sql`coalesce(${sourceRefunds.approvedAt}, ${sourceRefunds.createdAt})`,
  },
  // What became of a document that was sent is read again when nothing is wrong.
  {
    name: 'invoice_deliveries',
    id: invoiceDeliveries.id,
    where: sql`${invoiceDeliveries.nextAttemptAt} is not null and ${invoiceDeliveries.state} = 'waiting' and ${isServable}`,
    dueAt: invoiceDeliveries.nextAttemptAt,
    since: sql`${invoiceDeliveries.giveUpAt} - make_interval(hours => ${sendingHours})`,
  },
  // The next three are also read again when nothing is wrong, so the age of an item says nothing.
  {
    name: 'top_up_checks',
    id: topups.id,
    where: sql`${topups.nextCheckAt} is not null`,
    dueAt: topups.nextCheckAt,
  },
  {
    name: 'link_checks',
    id: linkWatches.orderId,
    where: sql`${linkWatches.nextCheckAt} is not null`,
    dueAt: linkWatches.nextCheckAt,
  },
  {
    name: 'payout_batches',
    id: payoutBatches.id,
    where: sql`${payoutBatches.nextActionAt} is not null`,
    dueAt: payoutBatches.nextActionAt,
  },
];

const ageOf = (moment: SQL): SQL => sql`greatest(extract(epoch from now() - ${moment}), 0)::float8`;

/** Reads the first rows of an index in its order, so those that are due come first. */
function selectQueue({ name, id, where, dueAt, since }: Queue): SQL {
  const isRead = since === undefined ? sql`${where} and ${dueAt} <= now()` : where;
  const rows = sql`select ${dueAt} as due_at, ${since ?? sql`null::timestamptz`} as since from ${id.table}
    where ${isRead} order by ${dueAt} limit ${queueCap + 1}`;
  return sql`select ${name}::text as queue,
      ${since === undefined ? sql`null::int` : sql`count(*)::int`} as items,
      ${since === undefined ? sql`null::float8` : ageOf(sql`min(since)`)} as "oldestSeconds",
      count(*) filter (where due_at <= now())::int as due,
      ${ageOf(sql`min(due_at) filter (where due_at <= now())`)} as "overdueSeconds"
    from (${rows}) as read`;
}

/** Events that have no deliveries yet. */
const selectEvents = sql`select 'events'::text as queue, count(*)::int as items, ${ageOf(sql`min(created_at)`)} as "oldestSeconds",
    null::int as due, null::float8 as "overdueSeconds"
  from (select ${events.createdAt} from ${events} where ${events.position} is null
    order by ${events.createdAt} limit ${queueCap + 1}) as read`;

/** Audit lines without a seal. */
const selectUnsealed = sql`select 'audit_lines'::text as queue, count(*)::int as items,
    coalesce((select ${ageOf(sql`${auditLogs.timestamp}`)} from ${auditLogs} where ${auditLogs.id} = min(read.audit_id)), 0) as "oldestSeconds",
    null::int as due, null::float8 as "overdueSeconds"
  from (select ${auditUnsealed.auditId} from ${auditUnsealed} order by ${auditUnsealed.auditId} limit ${queueCap + 1}) as read`;

/**
 * Deliveries to webhook endpoints. Due are those of endpoints that a worker may serve now: one that did not answer is
 * paused, and its deliveries wait without a fault of ours. The time that the first of them is due begins with the last
 * turn of its endpoint, because an endpoint with many deliveries gets them one after another. Of more than 10,000
 * endpoints that are turned on, those whose last turn is longest ago are read.
 */
const selectDeliveries = sql`select 'webhook_deliveries'::text as queue, waiting.items, waiting."oldestSeconds", open.due, open."overdueSeconds"
  from (
    select count(*)::int as items, ${ageOf(sql`min(created_at)`)} as "oldestSeconds"
    from (select ${webhookDeliveries.createdAt} from ${webhookDeliveries} where ${webhookDeliveries.nextAttemptAt} is not null
      order by ${webhookDeliveries.giveUpAt} limit ${queueCap + 1}) as read
  ) as waiting, (
    select count(*)::int as due, ${ageOf(sql`min(waits_since)`)} as "overdueSeconds" from (
      select greatest(first.next_attempt_at, turn.leased_until, turn.paused_until) as waits_since
      from (select ${webhookEndpoints.id}, ${webhookEndpoints.leasedUntil}, ${webhookEndpoints.pausedUntil} from ${webhookEndpoints}
        where ${webhookEndpoints.isEnabled} and ${webhookEndpoints.leasedUntil} <= now()
        order by ${webhookEndpoints.leasedUntil} limit ${queueCap}) as turn
      cross join lateral (select ${webhookDeliveries.nextAttemptAt} from ${webhookDeliveries}
        where ${webhookDeliveries.endpointId} = turn.id and ${webhookDeliveries.nextAttemptAt} <= now()
        order by ${webhookDeliveries.nextAttemptAt} limit ${queueCap + 1}) as first
      where turn.paused_until <= now()
      limit ${queueCap + 1}
    ) as read
  ) as open`;

/**
 * Reads all queues in one statement, at most 10,001 rows of each through an index. The queues of outgoing webhooks are
 * left out while webhooks are turned off, because nothing is sent then.
 */
export async function getQueues(tx: Transaction): Promise<QueueFigures[]> {
  const areWebhooksOn = await isFlagOn('webhooks', tx);
  const all = [...queues.map(selectQueue), selectUnsealed, ...(areWebhooksOn ? [selectEvents, selectDeliveries] : [])];
  const rows = await tx.execute(
    sql.join(
      all.map((one) => sql`(${one})`),
      sql` union all `,
    ),
  );
  return z.array(queueRow).parse([...rows]);
}

const failureRow = z.object({ queue: z.string(), failed: z.number() });

/**
 * Counts what was given up: mails and deliveries of e-invoices of the last day, and provider events, which stay until staff
 * settle them. Of the deliveries in each state the newest 10,001 are read.
 */
export async function getFailures(tx: Transaction): Promise<z.output<typeof failureRow>[]> {
  const rows = await tx.execute(sql`
    select 'mails' as queue, count(*)::int as failed
    from (select 1 from ${mails} where ${mails.failedAt} >= now() - interval '1 day' limit ${queueCap + 1}) as read
    union all
    select 'provider_events', count(*) filter (where retry_at is null)::int
    from (select ${webhookEvents.retryAt} from ${webhookEvents} where ${webhookEvents.processedAt} is null limit ${queueCap + 1}) as read
    union all
    select 'invoice_deliveries', count(*)::int
    from unnest(array['rejected', 'incomplete', 'failed']) as ended (state)
    cross join lateral (select delivery.finished_at from ${invoiceDeliveries} as delivery where delivery.state = ended.state
      order by delivery.id desc limit ${queueCap + 1}) as read
    where read.finished_at >= now() - interval '1 day'`);
  return z.array(failureRow).parse([...rows]);
}
