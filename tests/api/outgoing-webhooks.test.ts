import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { events } from '@/db/schema/events';
import { settings } from '@/db/schema/settings';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { createWebhookSecret } from '@/lib/developers/webhooks/secrets';
import { newId } from '@/lib/ids';
import { createTempFolder } from '@/scripts/testing/temp-folder';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer } from '@/tests/factories/make-offer';
import { openClient } from '@/tests/setup/http-client';
import { cronSecret, startInstances } from '@/tests/setup/instances';
import { listConnections, startSilentListener } from '@/tests/setup/silent-listener';

/**
 * The instance under test records every connection that its process opens (tests/setup/recorded-connections.mjs). Its
 * publisher and its proxy are a listener that records and never answers, so that nothing leaves the machine either.
 */
const folder = createTempFolder('linkmarket-outgoing-');
const connectionLog = join(folder, 'connections');
const preload = pathToFileURL(join(import.meta.dirname, '../setup/recorded-connections.mjs')).href;

let listener: Awaited<ReturnType<typeof startSilentListener>>;
let instances: Awaited<ReturnType<typeof startInstances>>;
let buyer: Actor;

/** As in a database that was tampered with: a public address, which the proxy receives, and others that are refused. */
const urls = [
  'https://8.8.8.8/hook',
  'http://8.8.8.8/hook',
  'https://127.0.0.1/hook',
  'https://localhost/hook',
  'https://169.254.169.254/latest/meta-data/',
  'https://hooks.example.com/hook',
];

beforeAll(async () => {
  listener = await startSilentListener();
  const listenerUrl = `http://127.0.0.1:${listener.port}`;
  writeFileSync(connectionLog, '');
  instances = await startInstances(1, {
    ...{ NODE_OPTIONS: `--import ${preload}`, CONNECTION_LOG: connectionLog },
    ...{ PUBLISHER_BASE_URL: listenerUrl, EGRESS_PROXY_URL: listenerUrl },
  });
  await db().insert(settings).values({ key: 'flag.webhooks', value: false });
  buyer = await makeAccount();
  for (const url of urls) {
    const id = newId();
    const { sealedSecret } = createWebhookSecret(id);
    await db()
      .insert(webhookEndpoints)
      .values({ id, ownerId: buyer.userId, url, events: ['order.created'], sealedSecret });
    const eventId = newId();
    await db()
      .insert(events)
      .values({ id: eventId, type: 'order.created', audience: 'buyer', accountId: buyer.userId, data: {} });
    await db()
      .insert(webhookDeliveries)
      .values({ id: newId(), endpointId: id, eventId, giveUpAt: sql`now() + interval '1 day'` });
  }
}, 120_000);

afterAll(async () => {
  await instances.stop();
  listener.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs every job of the instance once. */
async function runJobs(): Promise<void> {
  const headers = { authorization: `Bearer ${cronSecret}` };
  const response = await fetch(`${instances.origins[0]}/api/jobs/run`, { method: 'POST', headers });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"deliver-webhooks","ok":true');
}

it('with webhooks off, a change records no event, and due deliveries and requests open no connection', async () => {
  const before = await db().$count(events);
  await makeOffer(1_000, {}, { buyer });
  expect(await db().$count(events)).toBe(before);
  const client = openClient('', instances.origins[0] ?? '');
  await client.signIn('user', buyer.email);
  const [endpoint] = await db().select().from(webhookEndpoints);
  const path = `/api/webhooks/${endpoint?.id}`;
  const error = 'Webhooks are turned off right now.';
  for (const address of [`${path}/test`, `${path}/rotate`]) {
    expect(await client.post(address), address).toMatchObject({ status: 503, body: { error } });
  }
  const body = { url: 'https://hooks.example.com/other', events: ['order.created'] };
  expect(await client.post('/api/webhooks', body)).toMatchObject({ status: 503, body: { error } });
  expect(await client.get('/api/webhooks')).toMatchObject({ status: 200 });
  await runJobs();
  expect(await db().$count(webhookAttempts)).toBe(0);
  expect(listener.visits).toEqual([]);
  expect(listConnections(connectionLog)).toEqual([]);
}, 120_000);

it('with webhooks on, only the guarded fetcher connects, over https and to no private address', async () => {
  await db().update(settings).set({ value: true }).where(sql`key = 'flag.webhooks'`);
  await vi.waitUntil(async () => (await db().$count(webhookAttempts)) >= urls.length, {
    timeout: 90_000,
    interval: 500,
  });
  const attempts = await db().select().from(webhookAttempts);
  expect(attempts.every(({ status, error }) => status === null && error !== '')).toBe(true);
  expect([...new Set(listener.visits)].sort()).toEqual(['CONNECT 8.8.8.8:443 HTTP/1.1', 'a query for a name'].sort());
  expect(listConnections(connectionLog)).toEqual(['dns hooks.example.com', `tcp 127.0.0.1:${listener.port}`]);
}, 120_000);
