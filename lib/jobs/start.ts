import { beginWork } from '@/lib/platform/lifecycle/process-state';
import { type Job, jobs, runJobs } from './jobs';

/**
 * Runs every job at its interval until stopped, without keeping the process alive. Runs of one job never overlap.
 * @returns a function that stops the jobs
 */
export function startJobs(all: readonly Job[] = jobs): () => void {
  const timers = all.map((job) => {
    let isRunning = false;
    const turn = async () => {
      if (isRunning) return;
      isRunning = true;
      const done = beginWork();
      await runJobs([job]);
      done();
      isRunning = false;
    };
    return setInterval(turn, job.everySeconds * 1000).unref();
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
