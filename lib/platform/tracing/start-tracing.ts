import type { Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { log } from '@/lib/platform/log/log';
import { redactText } from '@/lib/platform/log/redact';

/**
 * The attributes that leave the server. All others are removed, because traces go to another system: Next.js records
 * the URL of requests with its query, which may contain the token of a mailed link, and the URLs of calls.
 */
const keptAttributes = new Set([
  'http.method',
  'http.request.method',
  'http.status_code',
  'http.response.status_code',
  'next.rsc',
  'next.span_type',
  'error.type',
  'net.peer.name',
  'net.peer.port',
  'server.address',
  'server.port',
]);

/** Returns the route of a path, or of the route itself; null when no route matches (createRouteMatcher). */
export type MatchRoute = (path: string) => string | null;

/**
 * Returns a copy of a span without values of requests. Of errors only the type is kept: the message of a failed query
 * contains its parameters. The log has the rest, by time and route.
 */
function redactSpan(span: ReadableSpan, matchRoute: MatchRoute): ReadableSpan {
  const route = span.attributes['http.route'];
  return {
    name: redactName(span, matchRoute),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    status: { code: span.status.code },
    attributes: {
      ...keepOnly(span.attributes, keptAttributes),
      ...(typeof route === 'string' && { 'http.route': toRoute(route, matchRoute) }),
    },
    // A link is to another span, and its attributes are values.
    links: span.links.map(({ context }) => ({ context })),
    events: span.events.map(({ name, time, attributes = {} }) => ({
      name: cutUrls(name),
      time,
      attributes: keepOnly(attributes, keptOfErrors),
    })),
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

const keptOfErrors = new Set(['exception.type']);

const keepOnly = (attributes: Attributes, names: ReadonlySet<string>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.has(name)));

/** Finds the route of a path. Next.js takes the path for it until it knows it, and keeps it if no page matches. */
const toRoute = (path: string, matchRoute: MatchRoute): string => matchRoute(path) ?? 'unmatched';

/** Redacts a name, which consists of a method and a route pattern, or of the host of a call. */
function redactName({ name, attributes }: ReadableSpan, matchRoute: MatchRoute): string {
  const url = attributes['http.url'] ?? attributes['url.full'];
  if (typeof url !== 'string' || !canParseUrl(url))
    return cutUrls(name).replace(/(?<=^|\s)\/\S*/g, (path) => toRoute(path, matchRoute));
  return `fetch ${String(attributes['http.method'] ?? attributes['http.request.method'] ?? '')} ${new URL(url).host}`;
}

/** Removes the path of URLs, and queries. */
const cutUrls = (text: string): string =>
  redactText(text.replace(/\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#@]*)\S*/gi, '$1$2').replace(/\?\S*/g, ''));

/** How long the shutdown waits for a collector. */
const flushTimeoutMs = 5_000;

/**
 * Registers OpenTelemetry's SDK, to which Next.js gives its spans of requests, pages and calls. The SDK reads the
 * remaining standard variables itself: the collector's address and headers, the sampler, limits and resource attributes.
 * @param matchRoute see createRouteMatcher()
 * @returns a function that sends what is left
 */
export function startTracing(serviceName: string, matchRoute: MatchRoute): () => Promise<void> {
  const provider = new NodeTracerProvider({
    // Attributes of the environment win over the name.
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(redacting(new OTLPTraceExporter(), matchRoute))],
  });
  provider.register();
  return () => shutDown(provider);
}

/** Redacts spans before they are sent, and logs when the collector stops or resumes accepting them. */
function redacting(exporter: SpanExporter, matchRoute: MatchRoute): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(
        spans.map((span) => redactSpan(span, matchRoute)),
        (result) => {
          // The SDK's ExportResultCode: 0 is success.
          const isFailed = result.code !== 0;
          if (isFailed && !isFailing)
            log().warn({ err: result.error }, 'The collector of traces does not accept them.');
          if (!isFailed && isFailing) log().info('The collector of traces accepts them again.');
          isFailing = isFailed;
          done(result);
        },
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

async function shutDown(provider: NodeTracerProvider): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, flushTimeoutMs).unref());
  try {
    await Promise.race([provider.shutdown(), late]);
  } catch (thrown) {
    log().warn({ err: thrown }, 'The last traces could not be sent.');
  }
}
