import { subscribe } from 'node:diagnostics_channel';
import { Server as HttpServer, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDb } from '@/db/client';
import { log } from '@/lib/platform/log/log';
import { beginShutdown, waitForWork } from './process-state';

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
    await closeDb();
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
