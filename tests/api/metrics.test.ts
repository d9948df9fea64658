import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openClient } from '@/tests/setup/http-client';
import { startInstances } from '@/tests/setup/instances';
import { readMetrics } from '@/tests/setup/scraped-metrics';
import { startTraceCollector } from '@/tests/setup/trace-collector';

const token = randomBytes(16).toString('hex');
const requests = 'linkmarket_http_request_duration_seconds_count';

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let instances: Awaited<ReturnType<typeof startInstances>>;
let client: ReturnType<typeof openClient>;
beforeAll(async () => {
  collector = await startTraceCollector();
  instances = await startInstances(1, {
    METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  client = openClient('', instances.origins[0]);
}, 120_000);
afterAll(async () => {
  await instances.stop();
  collector.close();
}, 60_000);

async function scrape() {
  const { status, headers, body } = await client.get('/api/metrics', { authorization: `Bearer ${token}` });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers.get('cache-control')).toBe('private, no-store');
  const text = z.string().parse(body);
  return { text, ...readMetrics(text) };
}

describe('/api/metrics', () => {
  it('does not exist in an installation without a token and addresses', async () => {
    const { status, body } = await openClient().get('/api/metrics', { authorization: `Bearer ${token}` });
    expect([status, body]).toEqual([404, { error: 'No endpoint exists at this path.' }]);
  });

  it('refuses a wrong token', async () => {
    expect((await client.get('/api/metrics', { authorization: `Bearer ${token}x` })).status).toBe(401);
    expect((await client.get('/api/metrics')).status).toBe(401);
  });

  it('counts requests by the pattern of their route, and tells nothing of their addresses', async () => {
    const secret = randomBytes(8).toString('hex');
    for (const path of [`/api/orders/${secret}`, `/proof/${secret}`, `/${secret}`, `/user/login?next=${secret}`]) {
      await client.get(path);
    }
    await client.request('/api/health', { method: 'DELETE' });
    const { text, value, labels } = await scrape();
    expect(text).not.toContain(secret);
    expect(value(requests, { method: 'GET', route: '/api/orders/{id}', status: '401' })).toBe(1);
    expect(value(requests, { method: 'GET', route: '/proof/{id}', status: '404' })).toBe(1);
    // This installation has no admin yet, so the page leads to the setup page.
    expect(value(requests, { method: 'GET', route: '/user/login', status: '307' })).toBeGreaterThan(0);
    expect(value(requests, { method: 'other', route: '/api/health', status: '405' })).toBe(1);
    expect(labels(requests)).toContainEqual({ method: 'other', route: 'unmatched', status: '404' });
    expect(value('linkmarket_database_up')).toBe(1);
    expect(value('linkmarket_queue_due_items', { queue: 'mails' })).toBe(0);
  });

  it('counts the runs of the jobs', async () => {
    await expect
      .poll(
        async () => (await scrape()).value('linkmarket_job_runs_total', { name: 'deliver-webhooks', outcome: 'ok' }),
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThan(0);
  });
});

describe('the traces', () => {
  it('contain requests by the pattern of their route, and nothing of their addresses', async () => {
    const secret = randomBytes(8).toString('hex');
    const paths = [`/api/orders/${secret}?token=${secret}`, `/proof/${secret}`, `/user/login?next=/${secret}`];
    for (const path of [...paths, `/${secret}`, `/user/orders/${secret}`]) {
      await client.get(path, { referer: `https://example.com/${secret}` });
    }
    const traces = () => collector.received.map(({ body }) => body).join('\n');
    for (const name of ['GET /api/orders/[id]', 'GET /proof/[id]', 'GET /user/login']) {
      await expect.poll(traces, { timeout: 20_000 }).toContain(name);
    }
    expect(traces()).not.toContain(secret);
  });
});
