import { subscribe } from 'node:diagnostics_channel';
import { Server as HttpServer, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDb } from '@/db/client';
import { log } from '../log/log';
import { beginEnding, workDone } from './process-state';

/** Less than the 30 seconds that Kubernetes and others give before they kill. */
const patienceMs = 20_000;
/** How long kept connections still take a request. */
const keptMs = 1_000;

/**
 * Ends the process in order when it is told to (SIGTERM, SIGINT): nothing new is begun and no connection taken,
 * requests in flight, work behind answers and jobs are waited for, then the pool is closed. Exit code 0; 1 when
 * something took longer than the patience and was cut off, which loses nothing that the database had confirmed.
 * @param stopJobs stops their clocks
 */
export function endInOrder(stopJobs: () => void): void {
  const servers = new Set<HttpServer>();
  // Next.js keeps its server to itself; each request tells to which one it came.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (server instanceof HttpServer) servers.add(server);
  });
  const end = async (signal: string) => {
    log().info({ signal }, 'Ending: requests in flight are finished.');
    beginEnding();
    stopJobs();
    // What goes on behind the last answers has begun when they are sent.
    const finished = Promise.all([...servers].map(closed))
      .then(workDone)
      .then(() => true);
    const isInTime = await Promise.race([finished, sleep(patienceMs, false, { ref: false })]);
    await closeDb();
    if (isInTime) log().info('Ended in order.');
    else log().warn('Ended, though something was still going on.');
    process.exit(isInTime ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal));
}

/**
 * No new connections. A proxy may just be sending a request into one that it keeps open: for a moment such requests are
 * answered, each as the last of its connection; then those without a request are closed.
 */
function closed(server: HttpServer): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((resolve) => {
    // Not HTTP's own close(): that cuts kept connections at once.
    NetServer.prototype.close.call(server, () => resolve());
    const closeIdle = () => {
      server.closeIdleConnections();
      setTimeout(closeIdle, 100).unref();
    };
    setTimeout(closeIdle, keptMs);
  });
}
