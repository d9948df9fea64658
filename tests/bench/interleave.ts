import { median } from './median';

/** A subject that measures its own rate in runs per second, over about `sliceMs`. */
export type Rated = { name: string; rate: (sliceMs: number) => Promise<number> };

/** A subject to measure in runs per second. */
export type BenchSubject = { name: string; run: (worker: number) => Promise<unknown> };

/**
 * Runs the subjects in turns (A B C A B C…), each for a slice of time with several concurrent workers, so that noise of
 * the machine affects all of them.
 * @returns runs per second by name, the median of the rounds
 */
export function interleave(
  subjects: readonly BenchSubject[],
  { workers, rounds, sliceMs }: { workers: number; rounds: number; sliceMs: number },
): Promise<Map<string, number>> {
  const rated = subjects.map(({ name, run }) => ({ name, rate: (ms: number) => rateOf(run, workers, ms) }));
  return interleaveRated(rated, { rounds, sliceMs });
}

/**
 * Like `interleave`, for subjects that measure themselves.
 * @param warmUpMs the duration of the first round, which is discarded: it includes connections, plans and JIT
 * compilation. The first thousands of responses of a server take twice as long as those after a minute.
 */
export async function interleaveRated(
  subjects: readonly Rated[],
  { rounds, sliceMs, warmUpMs = sliceMs }: { rounds: number; sliceMs: number; warmUpMs?: number },
): Promise<Map<string, number>> {
  const rates = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, rate } of subjects) {
      const measured = await rate(round === 0 ? warmUpMs : sliceMs);
      if (round > 0) rates.get(name)?.push(measured);
    }
  }
  return new Map([...rates].map(([name, values]) => [name, median(values)]));
}

async function rateOf(run: BenchSubject['run'], workers: number, sliceMs: number): Promise<number> {
  const end = performance.now() + sliceMs;
  let count = 0;
  const work = async (worker: number) => {
    while (performance.now() < end) {
      await run(worker);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return (count * 1000) / sliceMs;
}
