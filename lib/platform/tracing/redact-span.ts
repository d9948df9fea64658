import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
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
export function redactSpan(span: ReadableSpan, matchRoute: MatchRoute): ReadableSpan {
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

/** Next.js takes the path for the route until it knows it, and keeps it if no page matches. */
const toRoute = (path: string, matchRoute: MatchRoute): string => matchRoute(path) ?? 'unmatched';

/** Names consist of a method and a route pattern, or of the host of a call. */
function redactName({ name, attributes }: ReadableSpan, matchRoute: MatchRoute): string {
  const url = attributes['http.url'] ?? attributes['url.full'];
  if (typeof url !== 'string' || !URL.canParse(url))
    return cutUrls(name).replace(/(?<=^|\s)\/\S*/g, (path) => toRoute(path, matchRoute));
  return `fetch ${String(attributes['http.method'] ?? attributes['http.request.method'] ?? '')} ${new URL(url).host}`;
}

/** Removes the path of URLs, and queries. */
const cutUrls = (text: string): string =>
  redactText(text.replace(/\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#@]*)\S*/gi, '$1$2').replace(/\?\S*/g, ''));
