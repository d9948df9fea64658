import { endsByItself, env } from '../env';
import { startJobs } from '../jobs/start';
import { captureConsole } from '../log/capture-console';
import { logRequests } from '../log/log-requests';
import { routePatterns } from '../log/route-pattern';
import { endInOrder } from './end-in-order';
import { noteCallers } from './note-callers';
import { refuseMethods } from './refuse-methods';
import { watchDatabase } from './watch-database';

/** What a process that serves the app does once, before its first request. */
export function startServerProcess(): void {
  // next-auth derives its own addresses and the security of its cookies from this variable, and reads it by itself.
  process.env.NEXTAUTH_URL ??= env().APP_URL;
  // First, as the log names the caller too.
  noteCallers();
  // While developing, Next.js prints the requests itself, and for the eye.
  if (process.env.NODE_ENV === 'production') {
    captureConsole();
    logRequests(routePatterns());
  }
  refuseMethods();
  watchDatabase();
  const stopJobs = env().JOBS === 'on' ? startJobs() : () => undefined;
  if (endsByItself()) endInOrder(stopJobs);
}
