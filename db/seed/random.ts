/** Chance that gives the same demo on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  next: () => number;
  /** A whole number from `low` to `high`, both included. */
  int: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
  /** The bell curve around 0 with standard deviation 1. */
  normal: () => number;
  pick: <T>(items: readonly T[]) => T;
  /** One of the items, each as likely as its weight says. */
  weighted: <T>(items: readonly (readonly [item: T, weight: number])[]) => T;
};

/** A small 32-bit generator (a Weyl sequence with two rounds of mixing); good enough for invented figures. */
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
    if (item === undefined) throw new RangeError('Nothing to pick from.');
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
