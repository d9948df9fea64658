import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/api/metrics/route';
import { db } from '@/db/client';
import { openPool } from '@/db/open-pool';
import { bookProofs } from '@/db/schema/book-proofs';
import { events } from '@/db/schema/events';
import { linkWatches } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { payoutBatches } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { topups, webhookEvents } from '@/db/schema/topups';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { systemActor } from '@/lib/access/actor';
import { proveAuditLog } from '@/lib/audit/prove-chain';
import { sealAuditLogs } from '@/lib/audit/seal';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { runProof } from '@/lib/ledger/prove-books';
import { parseAddressRanges } from '@/lib/network/addresses';
import { clientIpHeader, setClientIp } from '@/lib/platform/http/client-ip';
import {
  countJobRun,
  countProviderCall,
  observeRequest,
  startProcessMetrics,
} from '@/lib/platform/metrics/process-metrics';
import { flagKey } from '@/lib/settings/feature-flags';
import { makeSourceRefund } from '@/tests/factories/make-source-refund';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { asOwner, unguarded } from '@/tests/setup/audit-tampering';
import { blocksOf } from '@/tests/setup/count-blocks';
import { runOnPool } from '@/tests/setup/run-on-pool';
import { readMetrics } from '@/tests/setup/scraped-metrics';

const token = 'a-token-of-prometheus';
const agoSeconds = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

// Only the clock of the cache.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());
beforeEach(() => {
  env().METRICS_TOKEN = token;
  env().METRICS_ADDRESSES = undefined;
  startProcessMetrics();
});
afterEach(async () => {
  await db().delete(mails);
  await db().delete(webhookEvents);
  await db().delete(webhookEndpoints);
  await db().delete(events);
});

const expireCache = () => vi.advanceTimersByTime(11_000);

function ask({ authorization, peer = '192.0.2.1' }: { authorization?: string; peer?: string }): Promise<Response> {
  const headers: Record<string, string> = {};
  setClientIp(headers, peer);
  const request = new NextRequest('http://localhost:3000/api/metrics', {
    headers: { [clientIpHeader]: headers[clientIpHeader] ?? '', ...(authorization && { authorization }) },
  });
  return GET(request, { params: Promise.resolve({}) });
}

async function scrape() {
  expireCache();
  const answer = await ask({ authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  return readMetrics(await answer.text());
}

/** The figures of one queue. */
async function queue(name: string) {
  const { value } = await scrape();
  const figure = (metric: string) => value(`linkmarket_queue_${metric}`, { queue: name });
  return {
    items: figure('items'),
    oldest: figure('oldest_seconds'),
    due: figure('due_items'),
    overdue: figure('overdue_seconds'),
  };
}

/** Seconds, and what the test itself takes. */
const about = (seconds: number) =>
  expect.toSatisfy((value: number) => value >= seconds && value < seconds + 60, `about ${seconds}`);

describe('the access to /api/metrics', () => {
  const statusOf = async (call: Parameters<typeof ask>[0]) => (await ask(call)).status;

  it('does not exist without a token and addresses', async () => {
    env().METRICS_TOKEN = undefined;
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(404);
    expect(await statusOf({})).toBe(404);
  });

  it('needs the whole token', async () => {
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200);
    for (const wrong of [`${token}x`, token.slice(0, -1), '']) {
      expect(await statusOf({ authorization: `Bearer ${wrong}` })).toBe(401);
    }
    expect(await statusOf({ authorization: token })).toBe(401);
    expect(await statusOf({})).toBe(401);
  });

  it('needs an address of the list, and with a token both', async () => {
    env().METRICS_ADDRESSES = parseAddressRanges('192.0.2.0/24');
    const authorization = `Bearer ${token}`;
    expect(await statusOf({ authorization, peer: '192.0.2.9' })).toBe(200);
    expect(await statusOf({ authorization, peer: '198.51.100.9' })).toBe(404);
    expect(await statusOf({ peer: '192.0.2.9' })).toBe(401);
    env().METRICS_TOKEN = undefined;
    expect(await statusOf({ peer: '192.0.2.9' })).toBe(200);
    expect(await statusOf({ peer: '198.51.100.9' })).toBe(404);
    expect(await statusOf({ peer: '' })).toBe(404);
  });
});

describe('the proofs', () => {
  const proof = async (name: string) => {
    const { value } = await scrape();
    return {
      sound: value('linkmarket_proof_sound', { proof: name }),
      at: value('linkmarket_proof_timestamp_seconds', { proof: name }),
      wholeAt: value('linkmarket_proof_whole_timestamp_seconds', { proof: name }),
    };
  };
  const now = () =>
    expect.toSatisfy((value: number) => Math.abs(value - Date.now() / 1_000) < 60, 'within the last minute');

  it('are missing before the first, then tell when it ran and what it found', async () => {
    expect(await proof('books')).toEqual({ sound: undefined, at: 0, wholeAt: 0 });
    expect(await proof('audit_log')).toEqual({ sound: undefined, at: 0, wholeAt: 0 });
    await runProof(systemActor('Test', 'script'), { isWhole: true });
    await sealAuditLogs();
    await proveAuditLog({ isWhole: true });
    expect(await proof('books')).toEqual({ sound: 1, at: now(), wholeAt: now() });
    expect(await proof('audit_log')).toEqual({ sound: 1, at: now(), wholeAt: now() });
  });

  it('count only with a valid signature: a writer of the table cannot hide a fault or a missing proof', async () => {
    const before = await proof('books');
    await db()
      .insert(bookProofs)
      .values({
        ...{ id: newId(), isSound: true, isWhole: true, report: {}, mac: 'k1.x' },
        ...{ startedAt: new Date(), ranAt: sql`now() + interval '1 hour'` },
      });
    expect(await proof('books')).toEqual(before);
  });

  it('of the audit log report a changed line', async () => {
    await unguarded(
      (tx) => tx`update audit_logs set details = details || '!' where id = (select min(id) from audit_logs)`,
    );
    await proveAuditLog({ isWhole: true });
    expect(await proof('audit_log')).toMatchObject({ sound: 0, at: now() });
  });
});

describe('the queues', () => {
  const mail = (change: Partial<typeof mails.$inferInsert> | Record<string, unknown> = {}) => ({
    ...{ id: newId(), kind: 'test', recipient: 'a@example.com', subject: 'Hello', html: '', text: '' },
    ...change,
  });

  it('counts mails that wait, with the age of the oldest, and those that were given up today', async () => {
    expect(await queue('mails')).toEqual({ items: 0, oldest: 0, due: 0, overdue: 0 });
    await db()
      .insert(mails)
      .values([
        mail({ createdAt: agoSeconds(7_200), nextAttemptAt: agoSeconds(-600) }),
        mail({ createdAt: agoSeconds(300), nextAttemptAt: agoSeconds(300) }),
        mail({ createdAt: agoSeconds(9_000), sentAt: agoSeconds(100) }),
        mail({ createdAt: agoSeconds(9_000), failedAt: agoSeconds(100) }),
        mail({ createdAt: agoSeconds(200_000), failedAt: agoSeconds(100_000) }),
      ]);
    expect(await queue('mails')).toEqual({ items: 2, oldest: about(7_200), due: 1, overdue: about(300) });
    const { value } = await scrape();
    expect(value('linkmarket_queue_failed_items', { queue: 'mails' })).toBe(1);
  });

  it('counts provider events that are retried, and those that only staff can settle', async () => {
    const user = await makeUser();
    await makeTopup(user);
    const event = (change: Record<string, unknown>) => ({
      ...{ id: newId(), eventId: newId(), provider: 'stripe' as const, mode: 'live' as const, type: 'x', payload: {} },
      ...change,
    });
    await db()
      .insert(webhookEvents)
      .values([
        event({ receivedAt: agoSeconds(4_000), retryAt: agoSeconds(60) }),
        event({ receivedAt: agoSeconds(10) }),
        event({ receivedAt: agoSeconds(400_000), retryAt: null, error: 'It failed.' }),
        event({ receivedAt: agoSeconds(400_000), retryAt: null, processedAt: agoSeconds(1) }),
      ]);
    expect(await queue('provider_events')).toEqual({ items: 2, oldest: about(4_000), due: 1, overdue: about(60) });
    const { value } = await scrape();
    expect(value('linkmarket_queue_failed_items', { queue: 'provider_events' })).toBe(1);
  });

  it('counts webhook deliveries, as due only where the endpoint may be served, and none while webhooks are off', async () => {
    const { userId } = await makeUser();
    const endpoint = (change: Record<string, unknown> = {}) => ({
      ...{ id: newId(), ownerId: userId, url: 'https://example.com/', events: [], sealedSecret: 'x' },
      ...{ leasedUntil: agoSeconds(900), pausedUntil: agoSeconds(900), ...change },
    });
    const [healthy, paused, off] = [
      endpoint(),
      endpoint({ pausedUntil: agoSeconds(-60) }),
      endpoint({ isEnabled: false }),
    ];
    await db().insert(webhookEndpoints).values([healthy, paused, off]);
    const event = {
      ...{ id: newId(), type: 'order.created', audience: 'buyer' as const, userId, data: {}, position: 1 },
    };
    await db()
      .insert(events)
      .values([event, { ...event, id: newId(), position: null, createdAt: agoSeconds(120) }]);
    await db()
      .insert(webhookDeliveries)
      .values(
        [healthy, paused, off].map(({ id }) => ({
          ...{ id: newId(), endpointId: id, eventId: event.id, giveUpAt: agoSeconds(-60_000) },
          ...{ createdAt: agoSeconds(5_000), nextAttemptAt: agoSeconds(5_000) },
        })),
      );
    expect(await queue('webhook_deliveries')).toEqual({
      ...{ items: 3, oldest: about(5_000), due: 1 },
      // The endpoint had its last turn then.
      overdue: about(900),
    });
    expect(await queue('events')).toMatchObject({ items: 1, oldest: about(120), due: undefined });
    const flag = { key: flagKey('webhooks'), value: false };
    await db().insert(settings).values(flag).onConflictDoUpdate({ target: settings.key, set: flag });
    expect(await queue('webhook_deliveries')).toMatchObject({ items: undefined, due: undefined });
    expect(await queue('events')).toMatchObject({ items: undefined });
    await db().update(settings).set({ value: true }).where(sql`${settings.key} = ${flag.key}`);
  });

  it('counts what is due of refunds, payout batches and checks', async () => {
    const { refund } = await makeSourceRefund('processing');
    await db()
      .update(sourceRefunds)
      .set({ nextActionAt: agoSeconds(70), approvedAt: agoSeconds(500) })
      .where(sql`${sourceRefunds.id} = ${refund.id}`);
    expect(await queue('source_refunds')).toEqual({ items: 1, oldest: about(500), due: 1, overdue: about(70) });

    await db()
      .insert(payoutBatches)
      .values({ id: newId(), kind: 'paypal', payoutCount: 1, totalCents: 1, nextActionAt: agoSeconds(90) });
    expect(await queue('payout_batches')).toMatchObject({ items: undefined, due: 1, overdue: about(90) });

    await db()
      .update(topups)
      .set({ nextCheckAt: agoSeconds(80) });
    expect(await queue('top_up_checks')).toMatchObject({ due: expect.any(Number), overdue: about(80) });
    expect(await queue('link_checks')).toEqual({ items: undefined, oldest: undefined, due: 0, overdue: 0 });
    expect(await db().select().from(linkWatches)).toEqual([]);
  });

  it('are read up to 10,000 rows each, however long they are', async () => {
    const grow = async (rows: number) => {
      await db().execute(sql`
        insert into ${mails} (id, kind, recipient, subject, next_attempt_at)
        select gen_random_uuid()::text, 'test', 'a@example.com', 'Hello', now() - n * interval '1 second'
        from generate_series(1, ${rows}::int) as n`);
      await asOwner('analyze mails');
      // One connection, so that its statistics cover every statement.
      const one = openPool(1);
      const blocks = await runOnPool(one, () => blocksOf(scrape));
      await one.end();
      return blocks;
    };
    const few = await grow(12_000);
    const many = await grow(60_000);
    expect(await queue('mails')).toEqual({ items: 10_001, oldest: about(0), due: 10_001, overdue: about(60_000) });
    expect(few).toBeGreaterThan(100);
    // An index of more rows is deeper, and the first of them are on other pages.
    expect(many).toBeLessThan(2 * few);
  });

  it('counts audit lines without a seal, with the age of the oldest', async () => {
    await sealAuditLogs();
    expect(await queue('audit_lines')).toMatchObject({ items: 0, oldest: 0 });
    await makeSourceRefund('requested');
    expect((await queue('audit_lines')).items).toBeGreaterThan(0);
    await sealAuditLogs();
  });
});

describe('a scrape', () => {
  it('costs no query within ten seconds of another, and concurrent ones share theirs', async () => {
    await scrape();
    await db().insert(mails).values({ id: newId(), kind: 'test', recipient: 'a@example.com', subject: 'Hello' });
    const again = async () => {
      const text = await (await ask({ authorization: `Bearer ${token}` })).text();
      return readMetrics(text).value('linkmarket_queue_items', { queue: 'mails' });
    };
    expect(await again()).toBe(0);
    expireCache();
    const transactions = vi.spyOn(db(), 'transaction');
    expect(await Promise.all([again(), again(), again()])).toEqual([1, 1, 1]);
    expect(transactions).toHaveBeenCalledTimes(1);
    transactions.mockRestore();
  });

  it('answers with the metrics of the process while the database is away or hangs', async () => {
    await db().execute(sql`select 1`);
    const working = openPool(1);
    await working`select 1`;
    const closed = openPool(1);
    await closed.end();
    const away = await runOnPool(closed, scrape);
    expect(away.value('linkmarket_database_up')).toBe(0);
    expect(away.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(away.labels('linkmarket_queue_items')).toEqual([]);

    // Every connection of the pool is taken: the scrape waits, and gives up before Prometheus does.
    const held = new EventTarget();
    const [taken, released] = ['taken', 'released'].map((name) => once(held, name));
    const holding = working.begin(async (tx) => {
      await tx`select 1`;
      held.dispatchEvent(new Event('taken'));
      await released;
    });
    await taken;
    const late = await runOnPool(working, scrape);
    expect(late.value('linkmarket_database_up')).toBe(0);
    held.dispatchEvent(new Event('released'));
    await holding;
    await expect.poll(async () => (await scrape()).value('linkmarket_database_up')).toBe(1);
    await working.end();
  });

  it('has no value of a record, and no metric that the alerts and the dashboard use is missing', async () => {
    observeRequest({ method: 'GET', route: '/api/orders/[id]', status: 200, isAborted: false, seconds: 0.02 });
    countProviderCall('stripe', 'failed');
    countJobRun('deliver-mails', 'failed');
    await runProof(systemActor('Test', 'script'));
    const { names, labels, value } = await scrape();
    const files = ['alerts.yml', 'grafana-dashboard.json'].map((name) =>
      readFileSync(join(process.cwd(), 'deploy/monitoring', name), 'utf8'),
    );
    const used = new Set(files.flatMap((text) => text.match(/\b(linkmarket|process|nodejs)_\w+/g) ?? []));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => /cents|amount|version/.test(name))).toEqual([]);
    const known = ['queue', 'proof', 'state', 'method', 'route', 'status', 'provider', 'outcome', 'name', 'le'];
    const all = [...names].filter((name) => name.startsWith('linkmarket_')).flatMap(labels);
    expect([...new Set(all.flatMap((set) => Object.keys(set)))].filter((label) => !known.includes(label))).toEqual([]);
    expect(value('linkmarket_database_connections', { state: 'active' })).toBeGreaterThan(0);
    expect(value('linkmarket_database_connections_max')).toBeGreaterThan(0);
  });
});
