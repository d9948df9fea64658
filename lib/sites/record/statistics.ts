/** Links of the same life. */
export type Lifetimes = {
  /** The day of life on which they were lost, or until which they were observed without a loss. */
  days: number;
  isLost: boolean;
  /** The number of links. */
  count: number;
};

/**
 * Estimates the share of links that live longer than `days`, by Kaplan and Meier's product-limit estimator: at each loss,
 * the share falls by the part of the links that were observed then. A link that was observed until the day of a loss
 * counts among them.
 * @returns null where no link was observed for so long, and not all were lost before
 */
export function estimateSurvival(lifetimes: readonly Lifetimes[], days: number): number | null {
  const sumOf = (which: (one: Lifetimes) => boolean) =>
    lifetimes.reduce((sum, one) => (which(one) ? sum + one.count : sum), 0);
  const losses = lifetimes.flatMap((one) => (one.isLost && one.days <= days ? [one.days] : []));
  let share = 1;
  for (const at of [...new Set(losses)].sort((one, other) => one - other)) {
    const lost = sumOf((one) => one.isLost && one.days === at);
    share *= 1 - lost / sumOf((one) => one.days >= at);
  }
  return share === 0 || lifetimes.some((one) => one.days >= days) ? share : null;
}

/** The quantile of the normal distribution for an interval of 95 %. */
const z = 1.959964;

/** Returns the lower bound of Wilson's score interval (95 %) of a share of `n` cases; 0 without any. */
export function getWilsonLowerBound(share: number, n: number): number {
  if (n === 0) return 0;
  const center = share + (z * z) / (2 * n);
  const margin = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return Math.max(0, (center - margin) / (1 + (z * z) / n));
}
