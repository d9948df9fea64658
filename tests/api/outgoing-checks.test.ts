import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { startWatch } from '@/lib/links/watches';
import { createTempFolder } from '../../scripts/testing/temp-folder';
import { makeAccount } from '../factories/make-account';
import { makeOffer } from '../factories/make-offer';
import { makeOrder } from '../factories/make-order';
import { openClient } from '../setup/http-client';
import { startInstances } from '../setup/instances';
import { accept, approve, deliver } from '../setup/placement-verbs';
import { listConnections, startSilentListener } from '../setup/silent-listener';

/**
 * The instance under test records every connection that its process opens (tests/setup/recorded-connections.mjs). Its
 * publisher and its proxy are a listener that records and never answers, so that nothing leaves the machine either.
 */
const folder = createTempFolder('linkmarket-outgoing-');
const connectionLog = join(folder, 'connections');
const preload = pathToFileURL(join(import.meta.dirname, '../setup/recorded-connections.mjs')).href;

let listener: Awaited<ReturnType<typeof startSilentListener>>;
let instances: Awaited<ReturnType<typeof startInstances>>;
let origin = '';
let people: { buyer: Actor; seller: Actor };
let deliveredId = 0;

/** Addresses of orders that staff fulfill: a public one, which the proxy receives, and those of the server's own network. */
const liveLinks = [
  'http://8.8.8.8/article',
  'http://127.0.0.1/article',
  'http://localhost/article',
  'http://[::ffff:127.0.0.1]/article',
  'http://169.254.169.254/latest/meta-data/',
];

beforeAll(async () => {
  listener = await startSilentListener();
  const listenerUrl = `http://127.0.0.1:${listener.port}`;
  writeFileSync(connectionLog, '');
  instances = await startInstances(1, {
    ...{ NODE_OPTIONS: `--import ${preload}`, CONNECTION_LOG: connectionLog },
    ...{ PUBLISHER_BASE_URL: listenerUrl, EGRESS_PROXY_URL: listenerUrl },
  });
  origin = instances.origins[0] ?? '';
  await db().insert(settings).values({ key: 'flag.link-checks', value: false });
  people = { buyer: await makeAccount(), seller: await makeAccount({ role: 'Seller' }) };
  for (const isApproved of [false, true]) {
    const offer = await makeOffer(1_000, {}, people);
    await accept(offer);
    await deliver(offer);
    if (isApproved) await approve(offer);
    else deliveredId = offer.id;
  }
  for (const pageUrl of liveLinks) {
    const { id, buyer } = await makeOrder(1_000);
    const [order] = await db().select().from(orders).where(eq(orders.id, id));
    await startWatch(db(), {
      ...{ orderId: id, buyerId: buyer.userId, projectId: order?.projectId ?? null, sellerId: null },
      ...{ siteUrl: pageUrl, pageUrl, targetUrl: 'https://shop.example.com/', anchor: '', rel: 'any' },
    });
  }
}, 120_000);

afterAll(async () => {
  await instances.stop();
  listener.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until the job has processed every watch. */
const untilChecked = () =>
  vi.waitUntil(async () => (await db().$count(linkWatches, sql`next_check_at < now() + interval '30 minutes'`)) === 0, {
    timeout: 90_000,
    interval: 500,
  });

it('with link checks off, deliveries, due checks and requests for checks open no connection', async () => {
  await untilChecked();
  expect(await db().$count(linkWatches)).toBe(2 + liveLinks.length);
  for (const [role, account, path] of [
    ['user', people.buyer, `/api/orders/${deliveredId}/checks`],
    ['seller', people.seller, `/api/seller/orders/${deliveredId}/repaired`],
    ['admin', await makeAccount({ role: 'Admin' }), `/api/admin/orders/${deliveredId}/checks`],
  ] as const) {
    const client = openClient('', origin);
    await client.signIn(role, account.email);
    const error = 'Link checks are turned off right now.';
    expect(await client.post(path), path).toMatchObject({ status: 503, body: { error } });
    if (role !== 'seller') expect(await client.get(path)).toMatchObject({ status: 200, body: [] });
  }
  expect(await db().$count(linkChecks)).toBe(0);
  expect(listener.visits).toEqual([]);
  expect(listConnections(connectionLog)).toEqual([]);
}, 120_000);

it('with link checks on, only the guarded fetcher connects, and to no private address', async () => {
  await db().update(settings).set({ value: true }).where(eq(settings.key, 'flag.link-checks'));
  await db().update(linkWatches).set({ nextCheckAt: sql`now()` });
  await untilChecked();
  const checks = await db().select().from(linkChecks);
  const found = Object.fromEntries(checks.map(({ pageUrl, reasons }) => [pageUrl, reasons.join()]));
  for (const pageUrl of liveLinks.slice(1)) expect([pageUrl, found[pageUrl]]).toEqual([pageUrl, 'refused']);
  expect(checks).toHaveLength(2 + liveLinks.length);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
  // The page of the deliveries is on the publisher. The public address goes through the proxy.
  expect([...new Set(listener.visits)].sort()).toEqual(['a query for a name', 'CONNECT 8.8.8.8:80 HTTP/1.1'].sort());
  expect(listConnections(connectionLog)).toEqual(['dns blog.example.com', `tcp 127.0.0.1:${listener.port}`]);
}, 120_000);
