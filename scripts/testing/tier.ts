import { createHash } from 'node:crypto';

/**
 * The two tiers of tests: `npm test` runs the standard one, and `npm run test:full` sets TEST_TIER=full. A test tagged `full`
 * and a file named `*.full.test.ts` or `*.full.spec.ts` belong only to the full run.
 */
export const isFullRun = process.env.TEST_TIER === 'full';

/**
 * The seed of random inputs and samples. scripts/test.ts prints it and derives it from the commit, so that a failure in CI
 * repeats elsewhere and each commit tests other inputs.
 */
export const testSeed = Number(process.env.TEST_SEED ?? 0);

/** Returns the number of runs of a property: all in the full run, an eighth of them otherwise. */
export function propertyRuns(full: number): number {
  return isFullRun ? full : Math.ceil(full / 8);
}

/**
 * Returns all items in the full run, and otherwise the third of them that the seed selects, at least one.
 * @param offset shifts the selection, so that the callers of one list together use all of its items
 */
export function rotatingThird<Item>(items: readonly Item[], offset = 0): Item[] {
  if (isFullRun || items.length < 2) return [...items];
  const selected = items.filter((_, index) => (index + testSeed + offset) % 3 === 0);
  return selected.length > 0 ? selected : items.slice(0, 1);
}

/**
 * Returns all items in the full run, and otherwise the ninth of them that the seed selects, at least one.
 * @param offset as for `rotatingThird`
 */
export function rotatingNinth<Item>(items: readonly Item[], offset = 0): Item[] {
  return rotatingThird(rotatingThird(items, offset), Math.floor((testSeed + offset) / 3));
}

/**
 * Checks whether this run is the one in three that makes an expensive check of the key; the full run makes all of them.
 */
export function isItsTurn(key: string): boolean {
  return isFullRun || (createHash('sha256').update(key).digest().readUInt32BE() + testSeed) % 3 === 0;
}
