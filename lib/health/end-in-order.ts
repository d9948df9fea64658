import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDb } from '../../db/client';
import { log } from '../log/log';
import { beginEnding, workDone } from './process-state';

/** Less than the 30 seconds that Kubernetes and others give before they kill. */
const patienceMs = 20_000;

/**
 * Ends the process in order when it is told to (SIGTERM, SIGINT): nothing new is begun and no connection taken,
 * requests in flight, work behind answers and jobs are waited for, then the pool is closed. Exit code 0; 1 when
 * something took longer than the patience and was cut off, which loses nothing that the database had confirmed.
 * @param stopJobs stops their clocks
 */
export function endInOrder(stopJobs: () => void): void {
  const servers = new Set<Server>();
  // Next.js keeps its server to itself; each request tells to which one it came.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (server instanceof Server) servers.add(server);
  });
  const end = async (signal: string) => {
    log().info({ signal }, 'Ending: requests in flight are finished.');
    beginEnding();
    stopJobs();
    const finished = Promise.all([...[...servers].map(closed), workDone()]).then(() => true);
    const isInTime = await Promise.race([finished, sleep(patienceMs, false, { ref: false })]);
    await closeDb();
    if (isInTime) log().info('Ended in order.');
    else log().warn('Ended, though something was still going on.');
    process.exit(isInTime ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal));
}

/** No new connections; those without a request are closed at once, the others with their answer. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // A connection that is kept open is idle only when its answer is through.
    setInterval(() => server.closeIdleConnections(), 100).unref();
  });
}
