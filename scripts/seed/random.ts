/** A seeded random number generator: the demo is the same on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  next: () => number;
  /** An integer from `low` to `high`, inclusive. */
  int: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
  /** The standard normal distribution. */
  normal: () => number;
  pick: <T>(items: readonly T[]) => T;
  /** One of the items, with probabilities proportional to the weights. */
  weighted: <T>(items: readonly (readonly [item: T, weight: number])[]) => T;
};

/** Creates a 32-bit generator: a Weyl sequence with two rounds of mixing. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('The list is empty.');
    return item;
  };
  return {
    next,
    pick,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    weighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return pick(items)[0];
    },
  };
}
