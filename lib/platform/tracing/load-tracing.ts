import { env } from '@/lib/env';
import { createRouteMatcher } from '@/lib/platform/http/log-requests';
import type { MatchRoute } from './start-tracing';

/**
 * Starts traces if OpenTelemetry's standard variables name a collector: OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, without OTEL_SDK_DISABLED. Otherwise, and in development and Vercel's function
 * of the middleware, which have no list of routes, OpenTelemetry is not loaded, so that it delays no start.
 * @param matchRoute the default are the routes of the build
 * @returns a function that sends what is left, for the shutdown
 */
export async function loadTracing(matchRoute?: MatchRoute): Promise<() => Promise<void>> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint,
    OTEL_SDK_DISABLED: disabled,
    OTEL_SERVICE_NAME: serviceName,
  } = env();
  const isOff = (endpoint ?? tracesEndpoint) === undefined || disabled === 'true';
  if (isOff || process.env.NODE_ENV === 'development') return async () => undefined;
  const matchRouteOfBuild = matchRoute ?? createRouteMatcher();
  if (!matchRouteOfBuild) return async () => undefined;
  return (await import('./start-tracing')).startTracing(serviceName, matchRouteOfBuild);
}
