import { median } from './median';

/** Something whose rate is measured: tells how often it ran in a second, over a slice of about `sliceMs`. */
export type Rated = { name: string; rate: (sliceMs: number) => Promise<number> };

/** One thing measured: how often it ran in a second. */
export type Contender = { name: string; run: (worker: number) => Promise<unknown> };

/**
 * Runs contenders in turns (A B C A B C…), each for a slice of time with a number of workers at once, so that a noisy
 * machine is noisy for all of them.
 * @returns runs a second by name, the median of the rounds
 */
export function interleave(
  contenders: readonly Contender[],
  { workers, rounds, sliceMs }: { workers: number; rounds: number; sliceMs: number },
): Promise<Map<string, number>> {
  const rated = contenders.map(({ name, run }) => ({ name, rate: (ms: number) => rateOf(run, workers, ms) }));
  return takeTurns(rated, { rounds, sliceMs });
}

/**
 * The same for contenders that measure themselves.
 * @param warmUpMs of the first round, which does not count: connections, plans, and above all the compiler. A server's
 * first thousands of answers take twice as long as those of one that has run for a minute.
 */
export async function takeTurns(
  contenders: readonly Rated[],
  { rounds, sliceMs, warmUpMs = sliceMs }: { rounds: number; sliceMs: number; warmUpMs?: number },
): Promise<Map<string, number>> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, rate } of contenders) {
      const measured = await rate(round === 0 ? warmUpMs : sliceMs);
      if (round > 0) rates.get(name)?.push(measured);
    }
  }
  return new Map([...rates].map(([name, values]) => [name, median(values)]));
}

async function rateOf(run: Contender['run'], workers: number, sliceMs: number): Promise<number> {
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
