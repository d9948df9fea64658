import { createRequire } from 'node:module';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { env } from '@/lib/env';
import { loadTracing } from '@/lib/platform/tracing/load-tracing';
import { startTraceCollector } from '@/tests/setup/trace-collector';

vi.hoisted(() => Object.assign(process.env, { DATABASE_URL: 'postgres://127.0.0.1:9/unused' }));

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => /@opentelemetry\/(sdk|exporter)/.test(file));

it('OpenTelemetry is not loaded without a collector, or when it is disabled', async () => {
  await (await loadTracing())();
  env().OTEL_EXPORTER_OTLP_ENDPOINT = collector.endpoint;
  env().OTEL_SDK_DISABLED = 'true';
  await (await loadTracing())();
  expect(loaded()).toEqual([]);
});

it('spans reach the collector without URLs, queries, messages and other values', async () => {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=staging',
  });
  Object.assign(env(), { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SDK_DISABLED: 'false' });
  const send = await loadTracing((path) => (path.startsWith('/api/orders/') ? '/api/orders/[id]' : null));
  expect(loaded().length).toBeGreaterThan(0);

  // As Next.js creates them: node_modules/next/dist/server/base-server.js and lib/patch-fetch.js.
  const tracer = trace.getTracer('next.js');
  const request = tracer.startSpan('GET /api/orders/[id]', {
    kind: SpanKind.SERVER,
    attributes: {
      'http.method': 'GET',
      'http.route': '/api/orders/[id]',
      'http.target': '/api/orders/55?token=hidden-query',
      'next.span_type': 'BaseServer.handleRequest',
    },
  });
  request.recordException(Object.assign(new Error('Failed query: hidden-parameter'), { name: 'DrizzleQueryError' }));
  request.setStatus({ code: SpanStatusCode.ERROR, message: 'hidden-status' });
  request.end();
  tracer
    .startSpan('fetch POST https://user:hidden-password@api.example.com/hidden-path?key=hidden-key', {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.url': 'https://user:hidden-password@api.example.com/hidden-path?key=hidden-key',
        'http.method': 'POST',
        'net.peer.name': 'api.example.com',
      },
    })
    .end();
  tracer.startSpan('GET /hidden-page', { attributes: { 'http.route': '/hidden-page' } }).end();
  tracer.startSpan('RSC GET /api/orders/hidden', { attributes: { 'http.route': '/api/orders/hidden' } }).end();
  tracer.startSpan('render https://a.example/hidden?x=1 for hidden@example.com').end();
  await send();

  expect(collector.received).toMatchObject([{ path: '/v1/traces', headers: { 'x-key': 'of-the-collector' } }]);
  const body = collector.received.map((message) => message.body).join();
  for (const text of [
    ...['GET /api/orders/[id]', 'DrizzleQueryError', 'fetch POST api.example.com', 'BaseServer.handleRequest'],
    ...[
      'GET unmatched',
      'RSC GET /api/orders/[id]',
      'service.name',
      'linkmarket',
      'deployment.environment',
      'staging',
      'render https://a.example for [email]',
    ],
  ]) {
    expect(body).toContain(text);
  }
  expect(body).not.toContain('hidden');
});
