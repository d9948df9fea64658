import { Counter, collectDefaultMetrics, Histogram, register } from 'prom-client';
import { env } from '@/lib/env';
import { joinClusterMetrics } from './cluster-metrics';

/** Seconds. Most answers take 5 to 100 ms; a statement of a request ends after 30 seconds. */
const requestBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The services that the app calls. */
type CalledProvider = 'stripe' | 'paypal' | 'wechat' | 'mail';
/** `refused`: it rejected this call. `failed`: others would fail as well, such as without a usable answer. */
type CallOutcome = 'ok' | 'refused' | 'failed';
/** `partly_failed`: the job ran, and could not process some of what was due. */
type JobRunOutcome = 'ok' | 'partly_failed' | 'failed';

type ProcessMetrics = ReturnType<typeof createMetrics>;
// On globalThis, because the instrumentation and the route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketMetrics?: ProcessMetrics } = globalThis;

/** Creates the metrics in prom-client's default registry, which the processes of a cluster send to their primary. */
function createMetrics() {
  joinClusterMetrics();
  collectDefaultMetrics();
  // Tells a reader which vulnerabilities of Node.js apply.
  register.removeSingleMetric('nodejs_version_info');
  return {
    requests: new Histogram({
      name: 'linkmarket_http_request_duration_seconds',
      help: 'Time from the beginning of a request until its connection has the whole response, by method, route pattern and status. Static files are not counted.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: requestBuckets,
    }),
    providerCalls: new Counter({
      name: 'linkmarket_provider_calls_total',
      help: 'Calls of payment providers and of the mail provider. refused: the provider rejected the request. failed: others would fail as well, such as without an answer.',
      labelNames: ['provider', 'outcome'] as const,
    }),
    jobRuns: new Counter({
      name: 'linkmarket_job_runs_total',
      help: 'Runs of background jobs by this process. partly_failed: some of what was due could not be processed.',
      // Prometheus sets the label `job` itself.
      labelNames: ['name', 'outcome'] as const,
    }),
  };
}

/** Starts measuring, if the environment makes /api/metrics available. Before, and in scripts, nothing is measured. */
export function startProcessMetrics(): void {
  const { METRICS_TOKEN, METRICS_ADDRESSES } = env();
  if ((METRICS_TOKEN ?? METRICS_ADDRESSES) !== undefined) holder.linkmarketMetrics ??= createMetrics();
}

type EndedRequest = {
  method: string | undefined;
  /** Of createRouteMatcher(); null when no route matches. */
  route: string | null;
  status: number;
  /** The client closed the connection before the end of the response. */
  isAborted: boolean;
  seconds: number;
};

const countedMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Records a request. Clients choose the method, the path and so the status; the labels are chosen so that the number of
 * series stays bounded by the app's routes: the pattern instead of the path, and one method for all that a route does
 * not support.
 */
export function observeRequest({ method = '', route, status, isAborted, seconds }: EndedRequest): void {
  const isSupported = route !== null && status !== 405;
  // HEAD is answered by the handler of GET.
  const known = method === 'HEAD' ? 'GET' : method;
  const labels = {
    method: isSupported && countedMethods.has(known) ? known : 'other',
    route: route === null ? 'unmatched' : toPattern(route),
    status: isAborted ? 'aborted' : String(status),
  };
  holder.linkmarketMetrics?.requests.observe(labels, seconds);
}

/** Converts Next.js's notation to that of the API reference: `/api/orders/[id]` to `/api/orders/{id}`. */
const toPattern = (route: string): string => route.replace(/\[{1,2}(?:\.\.\.)?(\w+)\]{1,2}/g, '{$1}');

/** Counts a call of a provider by its outcome. */
export function countProviderCall(provider: CalledProvider, outcome: CallOutcome): void {
  holder.linkmarketMetrics?.providerCalls.inc({ provider, outcome });
}

/** Counts a run of a background job. @param name of the job, one of a fixed list */
export function countJobRun(name: string, outcome: JobRunOutcome): void {
  holder.linkmarketMetrics?.jobRuns.inc({ name, outcome });
}
