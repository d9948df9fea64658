import { performance } from 'node:perf_hooks';

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Measures two functions in turn, in random order, so that other load on the machine affects both.
 * @returns `winsOfOne`: the share of pairs in which the first function was faster (0.5: indistinguishable), and the two
 * medians in milliseconds
 */
export async function compareTimes(rounds: number, one: (round: number) => Promise<unknown>, other: typeof one) {
  const times: [number[], number[]] = [[], []];
  const measure = async (kind: 0 | 1, round: number) => {
    const started = performance.now();
    await (kind === 0 ? one : other)(round);
    times[kind].push(performance.now() - started);
  };
  for (let round = 0; round < rounds; round += 1) {
    const first = Math.random() < 0.5 ? 0 : 1;
    await measure(first, round);
    await measure(first === 0 ? 1 : 0, round);
  }
  const [ones, others] = times;
  const wins = ones.flatMap((mine) => others.map((theirs) => (mine < theirs ? 1 : mine === theirs ? 0.5 : 0)));
  const winsOfOne = wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
  return { winsOfOne, medianOfOne: median(ones), medianOfOther: median(others) };
}

/**
 * Whether an attacker could distinguish the two by timing: one of them is nearly always faster, and by a large margin.
 * Either condition alone can result from chance or from a busy machine.
 */
export function areDistinguishable({
  winsOfOne,
  medianOfOne,
  medianOfOther,
}: Awaited<ReturnType<typeof compareTimes>>): boolean {
  const isOneSided = winsOfOne < 0.1 || winsOfOne > 0.9;
  const ratio = medianOfOne / medianOfOther;
  return isOneSided && (ratio < 0.75 || ratio > 1.33);
}
