import { after } from 'next/server';
import { beginWork } from '../lifecycle/process-state';
import { log } from '../log/log';

/**
 * Work for when the answer is on its way; a failure is logged like any other, without the query's parameters. Outside a
 * request, e.g. in a script, it begins at once.
 */
export function afterAnswer(what: string, work: () => Promise<unknown>): void {
  const done = beginWork();
  const run = async () => {
    try {
      await work();
    } catch (thrown) {
      log().error({ work: what, err: thrown }, 'Work after an answer failed.');
    } finally {
      done();
    }
  };
  try {
    after(run);
  } catch {
    // Next.js refuses where there is no request.
    void run();
  }
}
