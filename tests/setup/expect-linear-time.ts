import { expect } from 'vitest';

/**
 * Requires that work takes time in proportion to the size of its input: with four times the input it may take eight times
 * the CPU time, and quadratic work takes sixteen times. What takes less than a second is accepted.
 * @param run does the work with an input of a size in characters
 */
export async function expectLinearTime(size: number, run: (size: number) => unknown, name = ''): Promise<void> {
  const cpuMs = async (length: number) => {
    const before = process.cpuUsage();
    await run(length);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const quarter = await cpuMs(Math.floor(size / 4));
  expect(await cpuMs(size), name).toBeLessThan(1_000 + 8 * quarter);
}
