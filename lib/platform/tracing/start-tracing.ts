import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { log } from '@/lib/platform/log/log';
import { type MatchRoute, redactSpan } from './redact-span';

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
