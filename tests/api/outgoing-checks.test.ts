import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { startWatch } from '@/lib/links/watches';
import { createTempFolder } from '@/scripts/testing/temp-folder';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { startInstances } from '@/tests/setup/instances';
import { leaveCheckToJob } from '@/tests/setup/link-checks';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';
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
  const people = { buyer: await makeAccount(), seller: await makeAccount({ role: 'Seller' }) };
  for (const isApproved of [false, true]) {
    const offer = await makeOffer(1_000, {}, people);
    await accept(offer);
    await deliver(offer);
    if (isApproved) await approve(offer);
    await leaveCheckToJob(offer.id);
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

it('only the guarded fetcher connects for link checks, and to no private address', async () => {
  // Until the job has processed every watch.
  await vi.waitUntil(
    async () => (await db().$count(linkWatches, sql`next_check_at < now() + interval '30 minutes'`)) === 0,
    { timeout: 90_000, interval: 500 },
  );
  // Without those of the deliveries.
  const checks = await db().select().from(linkChecks).where(isNull(linkChecks.actorId));
  const found = Object.fromEntries(checks.map(({ pageUrl, reasons }) => [pageUrl, reasons.join()]));
  for (const pageUrl of liveLinks.slice(1)) expect([pageUrl, found[pageUrl]]).toEqual([pageUrl, 'refused']);
  expect(checks).toHaveLength(2 + liveLinks.length);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
  // The page of the deliveries is on the publisher, where it is published first. The public address goes through the proxy.
  expect([...new Set(listener.visits)].sort()).toEqual(
    ['a query for a name', 'CONNECT 8.8.8.8:80 HTTP/1.1', 'PUT /control/pages HTTP/1.1'].sort(),
  );
  expect(listConnections(connectionLog)).toEqual(['dns blog.example.com', `tcp 127.0.0.1:${listener.port}`]);
}, 120_000);
