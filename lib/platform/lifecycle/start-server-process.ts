import { subscribe } from 'node:diagnostics_channel';
import { Server as HttpServer, IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setTimeout as wait } from 'node:timers/promises';
import { format, stripVTControlCharacters } from 'node:util';
import type postgres from 'postgres';
import { closeCircuit, closeDb, openCircuit, wasPoolUsed } from '@/db/client';
import { openPool } from '@/db/open-pool';
import { closeReplicas, reportReplicas } from '@/db/replicas';
import { env, handlesShutdownSignals } from '@/lib/env';
import { setClientIp } from '@/lib/platform/http/client-ip';
import { guardRequests } from '@/lib/platform/http/guard-requests';
import { createRouteMatcher, getLoggedAddress, logRequests } from '@/lib/platform/http/log-requests';
import { log } from '@/lib/platform/log/log';
import { startProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { beginShutdown, waitForWork } from './process-state';

/**
 * Prepares a process that serves the app, once, before its first request.
 * @param startJobs starts the background jobs and returns a function that stops them; not called when JOBS is off
 * @param sendTraces sends the traces that are left, at the shutdown
 */
export function startServerProcess(startJobs: () => () => void, sendTraces: () => Promise<void>): void {
  // next-auth reads this variable for its URLs and the security of its cookies.
  process.env.NEXTAUTH_URL ??= env().APP_URL;
  // First, because the request log contains the client's address.
  resolveClientIps();
  startProcessMetrics();
  reportReplicas((level, fields, message) => log()[level](fields, message));
  const matchRoute = process.env.NODE_ENV === 'production' ? createRouteMatcher() : null;
  // In development Next.js prints the requests.
  if (process.env.NODE_ENV === 'production') captureConsole();
  if (matchRoute) logRequests(matchRoute);
  guardRequests(matchRoute);
  watchDatabase();
  const stopJobs = env().JOBS === 'on' ? startJobs() : () => undefined;
  if (handlesShutdownSignals()) registerGracefulShutdown(stopJobs, sendTraces);
}

/** Enough to find a proxy among scanners; bounded, because any client can cause an entry. */
const maxLogged = 50;

/**
 * Resolves the client's address of every request from its connection, which Next.js does not expose to handlers.
 * Forwarding headers from an address outside TRUSTED_PROXIES are removed. The first such request of an address is
 * logged, because it may come from a proxy that is missing in the setting.
 */
function resolveClientIps(): void {
  const logged = new Set<string>();
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message);
    if (!(request instanceof IncomingMessage)) return;
    const peer = request.socket.remoteAddress ?? '';
    const isRemoved = setClientIp(request.headers, peer);
    if (!isRemoved || logged.has(peer) || logged.size === maxLogged) return;
    logged.add(peer);
    log().warn(
      { ip: getLoggedAddress(request) },
      'Forwarding headers were ignored: the client is not in TRUSTED_PROXIES. If it is your proxy, add its address.',
    );
  });
}

/**
 * Redirects the console output of Next.js and libraries to the log, with redaction: Next.js prints a failed query with
 * its parameters. Errors of pages carry a digest and are skipped, because `logRequestError` logs them with their
 * request. Errors at level warn, e.g. of an unknown server action, are logged without a stack.
 */
export function captureConsole(): void {
  const createWriter =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...args: unknown[]) => {
      const err = args.find((part) => part instanceof Error);
      if (err && 'digest' in err) return;
      const values = level === 'error' ? args.filter((part) => part !== err) : args.map(withoutStack);
      const msg = stripVTControlCharacters(format(...values)).trim();
      log()[level]({ ...(level === 'error' && err && { err }) }, msg || 'Something failed.');
    };
  Object.assign(console, {
    debug: createWriter('debug'),
    log: createWriter('info'),
    info: createWriter('info'),
    warn: createWriter('warn'),
    error: createWriter('error'),
  });
}

const withoutStack = (part: unknown) => (part instanceof Error ? String(part) : part);

/** The interval between probes of a database that is in use. */
const intervalMs = 5_000;
/** The time limit of a probe, which selects a constant. */
const probeTimeoutMs = 10_000;
/** The interval between probes of a database that does not answer. */
const retryMs = 1_000;

/**
 * Detects a PostgreSQL server that neither answers nor closes its connections, because its machine froze or the network
 * drops packets, and fails the queries that wait for it. Without it they would wait about a quarter of an hour, and
 * PostgreSQL's own timeouts need a running server. Probes over a separate connection, which a busy pool or a long
 * statement does not delay. Disabled behind a transaction pooler (DATABASE_PREPARE=off), where a probe would queue and
 * an overload would look like a hang.
 */
function watchDatabase(): void {
  if (env().DATABASE_PREPARE === 'off') return;
  let probe: postgres.Sql | undefined;
  const isAvailable = async () => {
    probe ??= openPool(1);
    if (await isResponsive(probe)) return true;
    await probe.end({ timeout: 0 });
    probe = undefined;
    return false;
  };
  const check = async () => {
    if (!wasPoolUsed() || (await isAvailable())) return;
    log().error('The database hangs: requests that need it are refused until it responds.');
    try {
      await openCircuit();
      do await pause(retryMs);
      while (!(await isAvailable()));
    } finally {
      closeCircuit();
    }
    log().info('The database responds again.');
  };
  void (async () => {
    for (;;) {
      await pause(intervalMs);
      await check().catch((thrown: unknown) => log().error({ err: thrown }, 'The watch of the database failed.'));
    }
  })();
}

/** Checks whether the database answers: any answer counts, also an error; only a timeout means that it hangs. */
async function isResponsive(sql: postgres.Sql): Promise<boolean> {
  const answered = sql`select 1`.then(
    () => true,
    (thrown: unknown) => !(thrown instanceof Error && 'code' in thrown && thrown.code === 'CONNECT_TIMEOUT'),
  );
  const late = pause(probeTimeoutMs)
    // If this process itself was frozen, the timer fires before the answer is read.
    .then(() => pause(retryMs))
    .then(() => false);
  return Promise.race([answered, late]);
}

const pause = (ms: number) => wait(ms, undefined, { ref: false });

/** Less than the 30 seconds that Kubernetes and other platforms wait before SIGKILL. */
const shutdownTimeoutMs = 20_000;
/** How long keep-alive connections still accept a request. */
const keepAliveMs = 1_000;

/**
 * Shuts the process down gracefully on SIGTERM and SIGINT: stops accepting connections and jobs, waits for requests in
 * flight, work after responses and running jobs, then closes the pool. Exits with 0, or with 1 when the timeout
 * expired; confirmed transactions are never lost.
 * @param stopJobs stops the timers of the jobs
 * @param sendTraces sends the traces that are left
 */
export function registerGracefulShutdown(
  stopJobs: () => void,
  sendTraces: () => Promise<void> = async () => undefined,
): void {
  const servers = new Set<HttpServer>();
  // Next.js does not expose its server; each request names the server that received it.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (server instanceof HttpServer) servers.add(server);
  });
  const end = async (signal: string) => {
    log().info({ signal }, 'Shutting down: finishing requests in flight.');
    beginShutdown();
    stopJobs();
    // Work after a response is registered by the time the response has been sent.
    const finished = Promise.all([...servers].map(closeServer))
      .then(waitForWork)
      .then(sendTraces)
      .then(() => true);
    const isInTime = await Promise.race([finished, sleep(shutdownTimeoutMs, false, { ref: false })]);
    await Promise.all([closeDb(), closeReplicas()]);
    if (isInTime) log().info('Shut down cleanly.');
    else log().warn('Shut down with work still in progress.');
    process.exit(isInTime ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal));
}

/**
 * Stops accepting connections. A proxy may be sending a request over a keep-alive connection: for a moment such
 * requests are answered with `Connection: close`, then idle connections are closed.
 */
function closeServer(server: HttpServer): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((resolve) => {
    // HTTP's own close() would close keep-alive connections at once.
    NetServer.prototype.close.call(server, () => resolve());
    const closeIdle = () => {
      server.closeIdleConnections();
      setTimeout(closeIdle, 100).unref();
    };
    setTimeout(closeIdle, keepAliveMs);
  });
}
