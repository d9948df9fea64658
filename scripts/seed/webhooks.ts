import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { distributeEvents } from '@/lib/developers/webhooks/deliver';
import { createWebhookSecret } from '@/lib/developers/webhooks/secrets';
import { testEventType } from '@/lib/events/types';
import { newId } from '@/lib/ids';
import { publishSandboxPage } from '@/lib/links/sandbox-publisher';
import { demoEmails } from './people';

/** The receiver, which the sandbox's publisher plays. */
const url = 'https://hooks.example.com/linkmarket';

/** Publishes the page that receives the demo's webhooks and answers 200, unless it exists. */
export const publishReceiver = (): Promise<void> =>
  publishSandboxPage({ pageUrl: url, targetUrl: 'https://example.com/', anchor: '', rel: 'any' });

type Fate = Pick<typeof webhookDeliveries.$inferInsert, 'state'> & {
  /** The statuses of the attempts; null for no answer. */
  statuses: readonly (number | null)[];
};

/** The newest event first. The job sends the pending one. */
const fates: readonly Fate[] = [
  { state: 'pending', statuses: [503, null] },
  { state: 'delivered', statuses: [200] },
  { state: 'delivered', statuses: [500, 200] },
  { state: 'failed', statuses: [404, 404, 404] },
  { state: 'delivered', statuses: [200] },
  { state: 'canceled', statuses: [] },
  { state: 'delivered', statuses: [200] },
];

const minuteMs = 60_000;

/** Adds an endpoint of the demo's buyer, with deliveries of each state. */
export async function seedWebhooks(now: Date): Promise<void> {
  await distributeEvents();
  const [buyer] = await db().select({ id: users.id }).from(users).where(eq(users.email, demoEmails.buyer));
  if (!buyer) return;
  await publishReceiver();
  // The running app distributes events at the same time. It must not see the endpoint without these deliveries.
  await db().transaction((tx) => seedEndpoint(tx, buyer.id, now));
}

async function seedEndpoint(tx: Executor, ownerId: string, now: Date): Promise<void> {
  const id = newId();
  const { sealedSecret } = createWebhookSecret(id);
  const types = ['order.created', 'order.updated', 'placement.delivered', 'link.broken', 'topup.paid'];
  const lastAttemptAt = new Date(now.getTime() - 5 * minuteMs);
  await tx.insert(webhookEndpoints).values({
    ...{ id, ownerId, url, events: types, description: 'Our reporting', sealedSecret },
    ...{ lastAttemptAt, lastStatus: 503, lastError: errorOf(503), failingSince: lastAttemptAt, failures: 2 },
    createdAt: new Date(now.getTime() - 20 * 24 * 60 * minuteMs),
  });
  const newest = await tx
    .select()
    .from(events)
    .where(and(eq(events.accountId, ownerId), ne(events.type, testEventType)))
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(fates.length);
  // The log is ordered by id: the oldest event first.
  for (const [index, event] of [...newest.entries()].reverse()) {
    const fate = fates[index];
    if (fate) await seedDelivery(tx, id, event, fate, now);
  }
}

async function seedDelivery(
  tx: Executor,
  endpointId: string,
  event: typeof events.$inferSelect,
  { state, statuses }: Fate,
  now: Date,
): Promise<void> {
  const id = newId();
  const isOpen = state === 'pending';
  // A pending delivery is recent, because it is given up after a day.
  const from = isOpen ? now.getTime() - 10 * minuteMs : event.createdAt.getTime();
  const at = (attempt: number) => new Date(from + 2 * attempt * minuteMs);
  const last = statuses.at(-1);
  const lastError = state === 'canceled' ? 'The endpoint was turned off.' : last === undefined ? '' : errorOf(last);
  await tx.insert(webhookDeliveries).values({
    ...{ id, endpointId, eventId: event.id, state, attempts: statuses.length, lastStatus: last ?? null, lastError },
    retries: statuses.filter((status) => status !== 200).length,
    nextAttemptAt: isOpen ? sql`now() + interval '1 minute'` : null,
    giveUpAt: new Date(from + 24 * 60 * minuteMs),
    finishedAt: isOpen ? null : at(statuses.length),
    createdAt: new Date(from),
  });
  for (const [attempt, status] of statuses.entries()) {
    const sentAt = at(attempt);
    await tx.insert(webhookAttempts).values({
      ...{ id: newId(), deliveryId: id, url, status, error: errorOf(status), at: sentAt },
      requestHeaders: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      },
      answer: status === null || status === 200 ? '' : 'Try again later.',
      durationMs: status === null ? 10_000 : 84 + 31 * attempt,
    });
  }
}

/** Returns the texts of lib/developers/webhooks/attempt.ts. */
function errorOf(status: number | null): string {
  if (status === null) return 'The website did not answer in time.';
  return status === 200 ? '' : `The endpoint answered ${status}.`;
}
