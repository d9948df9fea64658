import { log } from '../platform/log/log';
import type { Job } from './jobs';

export type JobOutcome = { name: string; ok: boolean; figures: Record<string, number> };

/**
 * Runs jobs sequentially. A failure is logged, does not affect the other jobs, and is retried at the job's next interval.
 * A `figures.failed` above 0 is logged as well.
 */
export async function runJobs(due: readonly Job[]): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const job of due) outcomes.push(await runOne(job));
  return outcomes;
}

async function runOne({ name, run }: Job): Promise<JobOutcome> {
  try {
    const figures = await run();
    if (figures.failed) log().warn({ job: name, ...figures }, 'A part of a job failed.');
    return { name, ok: true, figures };
  } catch (thrown) {
    log().error({ job: name, err: thrown }, 'A job failed.');
    return { name, ok: false, figures: {} };
  }
}
