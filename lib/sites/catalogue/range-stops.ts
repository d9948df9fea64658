const steps = (to: number, step: number) => Array.from({ length: to / step + 1 }, (_, index) => index * step);

/**
 * The stops of each range filter: the positions of its slider, and the limits of the bars of its histogram. A bar is from
 * one stop up to the next; the last one includes everything above. Prices in USD, traffic in visits per month, turnaround
 * in days. Imports nothing, so that client components can import it.
 */
export const rangeStops = {
  dr: steps(100, 5),
  da: steps(100, 5),
  traffic: [0, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000],
  price: [0, 10, 20, 30, 40, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1_000, 2_000],
  spam: [0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 100],
  tat: [0, 1, 2, 3, 4, 5, 7, 10, 14, 21, 30, 60],
} as const satisfies Record<string, readonly number[]>;
export type RangeKey = keyof typeof rangeStops;

/** Returns the index of the last stop at or below a value. */
export function findStop(key: RangeKey, value: number): number {
  const stops: readonly number[] = rangeStops[key];
  return Math.max(
    0,
    stops.findLastIndex((stop) => stop <= value),
  );
}
