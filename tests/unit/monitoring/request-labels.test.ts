import { register } from 'prom-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { env } from '@/lib/env';
import { formatClusterMetrics } from '@/lib/platform/metrics/cluster-metrics';
import { countProviderCall, observeRequest, startProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { readMetrics } from '@/tests/setup/scraped-metrics';

vi.hoisted(() => Object.assign(process.env, { DATABASE_URL: 'postgres://127.0.0.1:9/unused' }));

const name = 'linkmarket_http_request_duration_seconds_count';
const ended = { method: 'GET', route: '/', status: 200, isAborted: false, seconds: 0.01 };
const labelsOf = async () => readMetrics(await formatClusterMetrics()).labels(name);

beforeEach(() => register.resetMetrics());

it('nothing is measured while /api/metrics does not exist', async () => {
  startProcessMetrics();
  observeRequest(ended);
  countProviderCall('paypal', 'ok');
  expect((await formatClusterMetrics()).trim()).toBe('');
  env().METRICS_TOKEN = 'a-token-of-prometheus';
  startProcessMetrics();
});

describe('the labels of a request', () => {
  it.each([
    ['/api/orders/[id]', '/api/orders/{id}'],
    ['/api/disputes/[id]/proposals/[n]/accept', '/api/disputes/{id}/proposals/{n}/accept'],
    ['/api/auth/[...nextauth]', '/api/auth/{nextauth}'],
    ['/api/[[...rest]]', '/api/{rest}'],
    ['/user/login', '/user/login'],
  ])('write the route %s as %s', async (route, pattern) => {
    observeRequest({ ...ended, route });
    expect(await labelsOf()).toEqual([{ method: 'GET', route: pattern, status: '200' }]);
  });

  it('are few, whatever a client sends', async () => {
    for (let turn = 0; turn < 500; turn += 1) {
      observeRequest({ ...ended, method: `M${turn}`, route: null, status: 404 });
      observeRequest({ ...ended, method: ['PUT', 'PATCH', 'DELETE', 'TRACE', `M${turn}`][turn % 5], status: 405 });
      observeRequest({ ...ended, method: turn % 2 ? 'HEAD' : 'GET' });
    }
    expect(await labelsOf()).toEqual([
      { method: 'other', route: 'unmatched', status: '404' },
      { method: 'other', route: '/', status: '405' },
      { method: 'GET', route: '/', status: '200' },
    ]);
  });

  it('tell a response that the client did not read from one with its status', async () => {
    observeRequest({ ...ended, isAborted: true });
    expect(await labelsOf()).toEqual([{ method: 'GET', route: '/', status: 'aborted' }]);
  });
});

it('the metrics do not tell the version of Node.js', async () => {
  const text = await formatClusterMetrics();
  expect(text).toContain('process_resident_memory_bytes');
  expect(text).not.toContain(process.version);
});
