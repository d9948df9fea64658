import { once } from 'node:events';
import { z } from 'zod';
import { forkWorker } from './fork-worker';

const countsSchema = z.object({ checked: z.int(), postponed: z.int(), failed: z.int() });

/**
 * Starts an instance that runs the job of link checks, in a process of its own on the database of DATABASE_URL.
 * @param publisher PUBLISHER_BASE_URL of the instance
 */
export function startInstance(publisher: string) {
  const child = forkWorker('link-checks-worker', { env: { PUBLISHER_BASE_URL: publisher, LOG_LEVEL: 'silent' } });
  const exited = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    /** Runs the job once. @returns its counts */
    run: async () => {
      child.send('run');
      return countsSchema.parse((await once(child, 'message'))[0]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
