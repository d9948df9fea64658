import { once } from 'node:events';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { events } from '@/db/schema/events';
import { settings } from '@/db/schema/settings';
import { rolePermissions, users } from '@/db/schema/users';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { createEndpointBody, endpointView } from '@/lib/developers/webhooks/contract';
import { deliverWebhooks } from '@/lib/developers/webhooks/deliver';
import {
  createEndpoint,
  deleteEndpoint,
  maxEndpoints,
  rotateSecret,
  updateEndpoint,
} from '@/lib/developers/webhooks/endpoints';
import { listDeliveries, listEndpoints, listEvents } from '@/lib/developers/webhooks/queries';
import { listAllowedTypes } from '@/lib/developers/webhooks/rights';
import { replayEvent, retryDelivery, sendTest } from '@/lib/developers/webhooks/send-now';
import { env } from '@/lib/env';
import { subscribableTypes } from '@/lib/events/types';
import { postMessage } from '@/lib/orders/messages/post';
import { resealSecrets } from '@/lib/workflows/reseal-secrets';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeStaff } from '@/tests/factories/make-staff';
import { actorOf, makeUser } from '@/tests/factories/make-user';
import { forkWorker } from '@/tests/setup/fork-worker';
import { outboxOf } from '@/tests/setup/outbox';
import { accept } from '@/tests/setup/placement-verbs';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control, getPublisherUrl } = startPublisher();
// Each test has its own endpoints, and no delivery of another one.
afterEach(async () => {
  await db().delete(webhookEndpoints);
  await db().delete(events);
});

type Page = { status?: number; redirect?: string; delayMs?: number; html?: string };

const answerWith = (url: string, page: Page = {}) => control('PUT', '/control/pages', { url, html: 'ok', ...page });

const received = z.array(
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  }),
);
/** What a host received, oldest first. */
const messagesOf = async (url: string) =>
  received.parse(await control('GET', `/control/requests?host=${new URL(url).hostname}`));

let hosts = 0;
const newUrl = () => `https://hooks-${++hosts}.example.com/receive`;

const messageSchema = z.object({ id: z.string(), type: z.string(), timestamp: z.string(), data: z.looseObject({}) });

/** Verifies a message as a receiver does. @returns the event. @throws WebhookVerificationError */
const verify = (secret: string, { body = '', headers }: z.output<typeof received>[number]) =>
  messageSchema.parse(new Webhook(secret).verify(body, headers));

async function makeEndpoint(
  actor: Actor,
  types: (typeof subscribableTypes)[number][] = ['order.created'],
  page: Page | null = {},
) {
  const url = newUrl();
  if (page) await answerWith(url, page);
  const { id, secret } = await createEndpoint(actor, 'own', { url, events: types, description: '' });
  return { id, secret, url };
}

/** All deliveries of an endpoint, the oldest first. */
const deliveriesOf = (endpointId: string) =>
  db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(webhookDeliveries.id);
const endpointOf = async (id: string) => {
  const [row] = await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (!row) throw new Error(`No endpoint ${id}`);
  return row;
};

/** Lets the pauses of an endpoint and its deliveries pass. */
async function passPauses(id: string) {
  await db().update(webhookEndpoints).set({ pausedUntil: sql`now()` }).where(eq(webhookEndpoints.id, id));
  await db()
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`now()` })
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'pending')));
}

describe('a delivery', () => {
  it('reaches the endpoint of each person concerned, signed, with the view of that person', async () => {
    const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
    const admin = await makeUser('Admin');
    const mine = await makeEndpoint(buyer, ['order.created', 'placement.accepted']);
    const theirs = await makeEndpoint(seller, ['placement.offered', 'placement.accepted']);
    const url = newUrl();
    await answerWith(url);
    const whole = await createEndpoint(admin, 'installation', { url, events: ['placement.accepted'], description: '' });
    const offer = await makeOffer(10_000, {}, { buyer, seller });
    await accept(offer);
    await deliverWebhooks();
    const seen = async (secret: string, at: string) => (await messagesOf(at)).map((message) => verify(secret, message));
    const bought = await seen(mine.secret, mine.url);
    expect(bought.map(({ type }) => type).sort()).toEqual(['order.created', 'placement.accepted']);
    const sold = await seen(theirs.secret, theirs.url);
    expect(sold.map(({ type }) => type).sort()).toEqual(['placement.accepted', 'placement.offered']);
    const [installed] = await seen(whole.secret, url);
    expect(installed?.data).toMatchObject({ buyerId: buyer.userId, sellerId: seller.userId, chargedCents: 10_000 });
    expect(JSON.stringify(bought)).not.toContain(seller.userId);
    expect(JSON.stringify(sold)).not.toContain(buyer.userId);
    const [first] = await messagesOf(mine.url);
    expect(first).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(first?.headers['user-agent']).toMatch(/^LinkMarket-Webhooks\//);
  });

  it('is tried again after an error, a redirect, a missing page and a rate limit, with the same id', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { status: 500, html: 'broken' });
    await makeOffer(10_000, {}, { buyer });
    await deliverWebhooks();
    const answers = [{ redirect: 'http://127.0.0.1/inner' }, { status: 404 }, { status: 429 }, { status: 204 }];
    for (const page of answers) {
      await answerWith(endpoint.url, page);
      await passPauses(endpoint.id);
      await deliverWebhooks();
    }
    const messages = await messagesOf(endpoint.url);
    expect(messages).toHaveLength(5);
    const ids = messages.map((message) => verify(endpoint.secret, message).id);
    expect(new Set(ids).size).toBe(1);
    const [delivery] = await deliveriesOf(endpoint.id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 5, lastStatus: 204, lastError: '' });
    const log = await db().select().from(webhookAttempts).orderBy(webhookAttempts.id);
    expect(log.map(({ status }) => status)).toEqual([500, 301, 404, 429, 204]);
    expect(log[0]).toMatchObject({ answer: 'broken', error: 'The endpoint answered 500.' });
    expect(await endpointOf(endpoint.id)).toMatchObject({ failingSince: null, failures: 0, lastStatus: 204 });
  });

  it('waits longer after each failure and ends after a day', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { status: 503 });
    await makeOffer(10_000, {}, { buyer });
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await passPauses(endpoint.id);
      await deliverWebhooks();
      const [delivery] = await deliveriesOf(endpoint.id);
      pauses.push((delivery?.nextAttemptAt?.getTime() ?? 0) - Date.now());
    }
    const [first = 0, last = 0] = [pauses[0], pauses.at(-1)];
    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThan(40_000);
    expect(last).toBeGreaterThan(10 * first);
    await db().update(webhookDeliveries).set({ giveUpAt: sql`now() + interval '1 second'` });
    await passPauses(endpoint.id);
    await deliverWebhooks();
    expect((await deliveriesOf(endpoint.id))[0]).toMatchObject({ state: 'failed', nextAttemptAt: null, attempts: 7 });
    await db()
      .update(webhookDeliveries)
      .set({ state: 'pending', nextAttemptAt: sql`now() + interval '1 hour'`, giveUpAt: sql`now()` });
    expect(await deliverWebhooks()).toMatchObject({ gaveUp: 1 });
  });

  it('never connects to a private address, as written, by its name, or by a name that changes', async () => {
    for (const url of [
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest/meta-data/',
      'https://localhost/',
      'https://2130706433/',
      'https://intranet.internal/',
      'https://user:password@hooks.example.com/',
      'https://hooks.example.com:8443/',
      'ftp://hooks.example.com/',
      'no address',
    ]) {
      expect(createEndpointBody.safeParse({ url, events: ['order.created'] }).success, url).toBe(false);
    }
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer);
    await makeOffer(10_000, {}, { buyer });
    const name = new URL(endpoint.url).hostname;
    await control('PUT', '/control/names', { name, addresses: ['93.184.216.34', '10.0.0.1'] });
    await deliverWebhooks();
    expect(await messagesOf(endpoint.url)).toEqual([]);
    const [attempt] = await db().select().from(webhookAttempts);
    expect(attempt).toMatchObject({ status: null, error: 'The address belongs to a private network.' });
    // An address that was written to the database is refused as well.
    await db().update(webhookEndpoints).set({ url: 'https://169.254.169.254/' });
    await passPauses(endpoint.id);
    await deliverWebhooks();
    const [{ url } = endpoint] = await db().update(webhookEndpoints).set({ url: endpoint.url }).returning();
    await control('DELETE', `/control/names?name=${name}`);
    await passPauses(endpoint.id);
    await deliverWebhooks();
    expect(await messagesOf(url)).toHaveLength(1);
  });

  it('follows a change whose process was killed, and is repeated after a kill during the attempt', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { delayMs: 5_000 });
    await makeOffer(10_000, {}, { buyer });
    const worker = forkWorker('webhooks-worker', {
      env: { PUBLISHER_BASE_URL: getPublisherUrl(), LOG_LEVEL: 'silent' },
    });
    worker.send('run');
    await expect.poll(() => messagesOf(endpoint.url)).toHaveLength(1);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await answerWith(endpoint.url);
    // The lease of the killed process holds.
    await deliverWebhooks();
    expect(await messagesOf(endpoint.url)).toHaveLength(1);
    await db().update(webhookEndpoints).set({ leasedUntil: sql`now()` });
    await passPauses(endpoint.id);
    await deliverWebhooks();
    const ids = (await messagesOf(endpoint.url)).map((message) => verify(endpoint.secret, message).id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await deliveriesOf(endpoint.id))[0]).toMatchObject({ state: 'delivered' });
  });

  it('is made once when several instances run at the same time', async () => {
    const buyer = await makeUser();
    const endpoints = [];
    for (let one = 0; one < 4; one += 1) endpoints.push(await makeEndpoint(buyer));
    for (let one = 0; one < 8; one += 1) await makeOffer(1_000, {}, { buyer });
    await Promise.all(Array.from({ length: 4 }, () => deliverWebhooks()));
    await deliverWebhooks();
    for (const { id, url, secret } of endpoints) {
      const ids = (await messagesOf(url)).map((message) => verify(secret, message).id);
      expect(ids).toHaveLength(8);
      expect(new Set(ids).size).toBe(8);
      expect((await deliveriesOf(id)).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
        true,
      );
    }
  });

  it('is not delayed by endpoints that do not answer', async () => {
    const buyer = await makeUser();
    for (let one = 0; one < 8; one += 1) {
      const dead = await makeEndpoint(buyer);
      await control('PUT', '/control/names', { name: new URL(dead.url).hostname, addresses: ['10.0.0.1'] });
    }
    const healthy = await makeEndpoint(buyer);
    for (let one = 0; one < 5; one += 1) await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    expect(await messagesOf(healthy.url)).toHaveLength(5);
    // After an attempt without an answer, a dead endpoint has a pause.
    expect(await db().$count(webhookAttempts, sql`status is null`)).toBe(8);
  });
});

describe('an endpoint', () => {
  it('is turned off with a mail after three days of failures, and on again by its owner', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { status: 500 });
    await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    await db().update(webhookEndpoints).set({ failures: 20 });
    await passPauses(endpoint.id);
    await deliverWebhooks();
    expect(await endpointOf(endpoint.id)).toMatchObject({ isEnabled: true, failures: 21 });
    await db().update(webhookEndpoints).set({ failingSince: sql`now() - interval '3 days 1 hour'` });
    await passPauses(endpoint.id);
    await deliverWebhooks();
    expect(await endpointOf(endpoint.id)).toMatchObject({ isEnabled: false, offReason: 'failing' });
    expect((await deliveriesOf(endpoint.id))[0]).toMatchObject({ state: 'canceled' });
    const [mail] = (await outboxOf(buyer.email)).slice(-1);
    expect(mail?.text).toContain('/user/webhooks');
    expect(mail?.subject).toBe(`The webhook endpoint at ${new URL(endpoint.url).host} was turned off`);
    await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    expect(await messagesOf(endpoint.url)).toHaveLength(3);
    const on = await updateEndpoint(buyer, 'own', endpoint.id, { isEnabled: true });
    expect(on).toMatchObject({ isEnabled: true, offReason: null, failingSince: null });
    await answerWith(endpoint.url);
    // The event of the time between is sent from the list.
    const [, missed] = await listEvents(buyer, 'own', { type: 'order.created', limit: 10 });
    expect(await replayEvent(buyer, 'own', endpoint.id, missed?.id ?? '')).toMatchObject({ state: 'delivered' });
  });

  it('that answers 410 is turned off at once', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { status: 410 });
    await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    expect(await endpointOf(endpoint.id)).toMatchObject({ isEnabled: false, offReason: 'gone' });
  });

  it('receives nothing more of a type that was removed from it, not even what waits', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created', 'order.updated'], { status: 500 });
    await makeOffer(10_000, {}, { buyer });
    await deliverWebhooks();
    expect(await deliveriesOf(endpoint.id)).toMatchObject([{ state: 'pending' }]);
    await updateEndpoint(buyer, 'own', endpoint.id, { events: ['order.updated'] });
    expect(await deliveriesOf(endpoint.id)).toMatchObject([{ state: 'canceled' }]);
    await answerWith(endpoint.url);
    await passPauses(endpoint.id);
    await deliverWebhooks();
    expect(await messagesOf(endpoint.url)).toHaveLength(1);
  });

  it('signs with both secrets for a day after a rotation, and both survive a rotation of SECRET_KEYS', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer);
    const { secret } = await rotateSecret(buyer, 'own', endpoint.id);
    const [before] = env().SECRET_KEYS.split(',');
    const ring = [
      { id: 'newer', key: Buffer.alloc(32, 7) },
      ...env()
        .SECRET_KEYS.split(',')
        .map((entry) => ({ id: entry.split(':')[0] ?? '', key: Buffer.from(entry.split(':')[1] ?? '', 'base64') })),
    ];
    const { unreadable } = await resealSecrets(ring);
    expect(unreadable).toEqual([]);
    const resealed = await endpointOf(endpoint.id);
    for (const sealed of [resealed.sealedSecret, resealed.sealedPreviousSecret]) expect(sealed).toMatch(/^v1\.newer\./);
    const keys = env().SECRET_KEYS;
    env().SECRET_KEYS = `newer:${Buffer.alloc(32, 7).toString('base64')},${before}`;
    await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    const [message] = await messagesOf(endpoint.url);
    if (!message) throw new Error('Nothing was received.');
    expect(message.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(verify(secret, message).id).toBe(verify(endpoint.secret, message).id);
    await db().update(webhookEndpoints).set({ previousSecretUntil: sql`now()` });
    await makeOffer(1_000, {}, { buyer });
    await deliverWebhooks();
    const [, later] = await messagesOf(endpoint.url);
    if (!later) throw new Error('Nothing was received.');
    expect(verify(secret, later).type).toBe('order.created');
    expect(() => verify(endpoint.secret, later)).toThrow();
    env().SECRET_KEYS = keys;
    await db().delete(webhookEndpoints);
  });

  it('keeps its secret out of views, the audit log and mails, and its path out of the last two', async () => {
    const buyer = await makeUser();
    const url = 'https://hooks.example.com/secret-path-of-the-receiver';
    const { id, secret } = await createEndpoint(buyer, 'own', { url, events: ['order.created'], description: '' });
    const other = await rotateSecret(buyer, 'own', id);
    await updateEndpoint(buyer, 'own', id, { url: `${url}/2` });
    const [row] = await listEndpoints(buyer, 'own');
    if (!row) throw new Error('No endpoint.');
    await deleteEndpoint(buyer, 'own', id);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(lines.map(({ action }) => action).sort()).toEqual([
      'webhook.created',
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.updated',
    ]);
    const mailed = await outboxOf(buyer.email);
    expect(mailed.map(({ subject }) => subject)).toEqual([
      'A webhook endpoint was added',
      'The secret of a webhook endpoint was rotated',
      'The address of a webhook endpoint was changed',
    ]);
    for (const text of [secret, other.secret]) {
      expect(JSON.stringify([endpointView(row), lines, mailed])).not.toContain(text);
    }
    expect(JSON.stringify([lines, mailed])).not.toContain('secret-path');
  });

  it('cannot exceed the number of endpoints, also with concurrent requests', async () => {
    const buyer = await makeUser();
    const input = { url: 'https://hooks.example.com/', events: ['order.created' as const], description: '' };
    const made = await Promise.allSettled(
      Array.from({ length: maxEndpoints.own + 3 }, () => createEndpoint(buyer, 'own', input)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxEndpoints.own);
  });
});

describe('rights', () => {
  it('end what a suspended or deleted person, a former seller and former staff receive', async () => {
    const staff = await makeStaff('ManageSettings', 'ManageOrders');
    const changes: [Actor, () => Promise<unknown>][] = [];
    const [suspended, deleted, seller] = [await makeUser(), await makeUser(), await makeUser('Seller')];
    const set = (actor: Actor, values: Partial<typeof users.$inferInsert>) => () =>
      db().update(users).set(values).where(eq(users.id, actor.userId));
    changes.push(
      [suspended, set(suspended, { status: 'Suspended' })],
      [deleted, set(deleted, { deletedAt: new Date() })],
    );
    changes.push([seller, set(seller, { role: 'User' })]);
    const url = newUrl();
    await answerWith(url);
    const { id } = await createEndpoint(staff, 'installation', { url, events: ['order.created'], description: '' });
    changes.push([
      staff,
      () =>
        db()
          .delete(rolePermissions)
          .where(and(eq(rolePermissions.roleName, staff.role), eq(rolePermissions.permission, 'ManageOrders'))),
    ]);
    const endpoints = [];
    for (const buyer of [suspended, deleted]) endpoints.push(await makeEndpoint(buyer));
    endpoints.push(await makeEndpoint(seller, ['placement.offered']));
    for (const buyer of [suspended, deleted]) await makeOffer(1_000, {}, { buyer, seller });
    // Their deliveries exist already, and more events follow.
    const { distributeEvents } = await import('@/lib/developers/webhooks/deliver');
    await distributeEvents();
    expect(await db().$count(webhookDeliveries)).toBeGreaterThan(4);
    for (const [, change] of changes) await change();
    const other = await makeUser();
    await makeOffer(1_000, {}, { buyer: other });
    await deliverWebhooks();
    for (const endpoint of [...endpoints, { url }]) expect(await messagesOf(endpoint.url), endpoint.url).toEqual([]);
    expect(await db().$count(webhookDeliveries, eq(webhookDeliveries.state, 'pending'))).toBe(0);
    const admin = await makeUser('Admin');
    const [row] = (await listEndpoints(admin, 'installation')).filter((one) => one.id === id);
    expect(row).toMatchObject({ isOwnerEntitled: false });
    const former = await actorOf(seller.userId);
    expect((await listEvents(former, 'own', { limit: 100 })).filter(({ audience }) => audience === 'seller')).toEqual(
      [],
    );
    // Another admin takes it over by saving it.
    await updateEndpoint(admin, 'installation', id, {});
    await makeOffer(1_000, {}, { buyer: other });
    await deliverWebhooks();
    expect(await messagesOf(url)).toHaveLength(1);
  });

  it('limit staff to the events that they may see, and to endpoints with such events', async () => {
    const staff = await makeStaff('ManageSettings', 'ManageOrders');
    const admin = await makeUser('Admin');
    const url = 'https://hooks.example.com/';
    expect(listAllowedTypes(staff, 'installation')).not.toContain('payout.paid');
    const payouts = { url, events: ['payout.paid' as const], description: '' };
    await expect(createEndpoint(staff, 'installation', payouts)).rejects.toMatchObject({ code: 'forbidden' });
    const { id } = await createEndpoint(admin, 'installation', payouts);
    expect(await listEndpoints(staff, 'installation')).toEqual([]);
    for (const act of [
      () => rotateSecret(staff, 'installation', id),
      () => sendTest(staff, 'installation', id),
      () => updateEndpoint(staff, 'installation', id, { url }),
      () => deleteEndpoint(staff, 'installation', id),
      () => listDeliveries(staff, 'installation', id, { limit: 10 }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    }
    const buyer = await makeUser();
    await expect(createEndpoint(buyer, 'own', payouts)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('keep endpoints, deliveries and events of other users apart', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const endpoint = await makeEndpoint(owner);
    const theirs = await makeEndpoint(stranger);
    await makeOffer(1_000, {}, { buyer: owner });
    await deliverWebhooks();
    const [delivery] = await deliveriesOf(endpoint.id);
    if (!delivery) throw new Error('No delivery.');
    for (const act of [
      () => retryDelivery(stranger, 'own', endpoint.id, delivery.id),
      () => retryDelivery(stranger, 'own', theirs.id, delivery.id),
      () => replayEvent(stranger, 'own', theirs.id, delivery.eventId),
      () => listDeliveries(stranger, 'own', endpoint.id, { limit: 10 }),
      () => retryDelivery(owner, 'installation', endpoint.id, delivery.id),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await listEvents(stranger, 'own', { limit: 100 })).toEqual([]);
    await expect(listEvents(stranger, 'own', { after: delivery.eventId, limit: 100 })).rejects.toMatchObject({
      code: 'unprocessable',
    });
  });
});

describe('requests of users', () => {
  it('send a test once, and a delivery again with the same id', async () => {
    const buyer = await makeUser();
    const endpoint = await makeEndpoint(buyer, ['order.created'], { status: 500 });
    const failed = await sendTest(buyer, 'own', endpoint.id);
    expect(failed).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1, lastStatus: 500 });
    await answerWith(endpoint.url);
    expect(await retryDelivery(buyer, 'own', endpoint.id, failed.id)).toMatchObject({
      state: 'delivered',
      attempts: 2,
    });
    await deliverWebhooks();
    const ids = (await messagesOf(endpoint.url)).map((message) => verify(endpoint.secret, message).id);
    expect(ids).toEqual([failed.eventId, failed.eventId]);
    const { rows } = await listDeliveries(buyer, 'own', endpoint.id, { limit: 10 });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.log.map(({ status }) => status)).toEqual([200, 500]);
  });

  it('list events by time without missing one, from any number of transactions', async () => {
    const buyer = await makeUser();
    const orders = Array.from({ length: 6 }, () => makeOffer(1_000, {}, { buyer }));
    const seen: string[] = [];
    const read = async () => {
      for (;;) {
        const page = await listEvents(buyer, 'own', { after: seen.at(-1), type: 'order.created', limit: 2 });
        if (page.length === 0) return;
        seen.push(...page.map(({ id }) => id));
      }
    };
    let isDone = false;
    const finished = Promise.all(orders).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await deliverWebhooks();
      await read();
    }
    await finished;
    await deliverWebhooks();
    await read();
    expect(new Set(seen).size).toBe(6);
    expect(seen).toHaveLength(6);
  });
});

it('with the flag off, no event is recorded and nothing is sent', async () => {
  const buyer = await makeUser();
  const endpoint = await makeEndpoint(buyer);
  await makeOffer(1_000, {}, { buyer });
  await db().insert(settings).values({ key: 'flag.webhooks', value: false });
  const before = await db().$count(events);
  await makeOffer(1_000, {}, { buyer });
  expect(await db().$count(events)).toBe(before);
  expect(await deliverWebhooks()).toMatchObject({ distributed: 0, delivered: 0 });
  for (const act of [
    () => sendTest(buyer, 'own', endpoint.id),
    () => rotateSecret(buyer, 'own', endpoint.id),
    () => createEndpoint(buyer, 'own', { url: newUrl(), events: ['order.created'], description: '' }),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'not_configured' });
  }
  expect(await messagesOf(endpoint.url)).toEqual([]);
  await db().delete(settings).where(eq(settings.key, 'flag.webhooks'));
});

it('an event of a transaction that was rolled back does not exist', async () => {
  const buyer = await makeUser();
  const offer = await makeOffer(1_000, {}, { buyer });
  await db().delete(events);
  await expect(accept({ ...offer, seller: await actorOf(buyer.userId) })).rejects.toThrow();
  await expect(postMessage(buyer, 'buyer', offer.id, { text: '', files: [] })).rejects.toThrow();
  expect(await db().$count(events)).toBe(0);
  expect(await db().$count(events, inArray(events.type, subscribableTypes))).toBe(0);
});
