import { after } from 'next/server';
import { log } from '@/lib/platform/log/log';
import { beginWork } from './process-state';

/**
 * Runs work after the response has been sent, and logs a failure without the query's parameters. Outside a request,
 * e.g. in a script, the work starts immediately.
 */
export function runAfterResponse(what: string, work: () => Promise<unknown>): void {
  const done = beginWork();
  const run = async () => {
    try {
      await work();
    } catch (thrown) {
      log().error({ work: what, err: thrown }, 'Work after a response failed.');
    } finally {
      done();
    }
  };
  try {
    after(run);
  } catch {
    // Next.js throws outside a request.
    void run();
  }
}
