import { describeFailure } from '../http/describe-failure';
import type { Job } from './jobs';

export type JobOutcome = { name: string; ok: boolean; figures: Record<string, number> };

/**
 * Runs jobs one after the other. One that fails is logged with its cause and does not keep the others from running;
 * its next turn tries again. `figures.failed`, where a job counts one, is logged as well.
 */
export async function runJobs(due: readonly Job[]): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const job of due) outcomes.push(await runOne(job));
  return outcomes;
}

async function runOne({ name, run }: Job): Promise<JobOutcome> {
  try {
    const figures = await run();
    if (figures.failed) console.warn(JSON.stringify({ level: 'warn', job: name, ...figures }));
    return { name, ok: true, figures };
  } catch (thrown) {
    console.error(JSON.stringify({ level: 'error', job: name, ...describeFailure(thrown) }));
    return { name, ok: false, figures: {} };
  }
}
