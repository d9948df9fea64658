import type { Random } from './random';

export type SiteMetrics = {
  dr: number | null;
  da: number | null;
  authorityScore: number | null;
  spam: number | null;
  traffic: number | null;
  keywordsCount: number | null;
  refDomains: number | null;
};

/** Sometimes null, for a figure that is unknown. */
const missing = 0.03;

/**
 * Figures that belong together: one hidden quality moves all of them, each with its own noise, so that a strong site
 * is strong in most ways and odd ones exist. Most sites are small, few are large.
 * @returns the figures, and the quality (0 to 1) that the price follows as well
 */
export function generateMetrics(random: Random): { metrics: SiteMetrics; quality: number } {
  const quality = Math.min(0.98, Math.max(0.03, 0.08 + 0.62 * random.next() ** 1.35 + 0.11 * random.normal()));
  const score = (expected: number, noise: number) => clamp(Math.round(expected + noise * random.normal()), 1, 94);
  const count = (low: number, growth: number, noise: number) =>
    Math.round(Math.exp(Math.log(low) + growth * quality + noise * random.normal()));
  const known = (value: number) => (random.chance(missing) ? null : value);

  const dr = score(8 + 82 * quality, 5);
  const traffic = rounded(count(220, 8.2, 0.85));
  const refDomains = Math.max(4, count(28, 5.6, 0.45));
  const metrics = {
    dr: known(dr),
    da: known(score(0.86 * dr + 4, 5)),
    authorityScore: known(score(0.68 * dr + 4, 4)),
    spam: known(clamp(Math.round(Math.exp(1.7 - 1.7 * quality + 0.75 * random.normal())) - 1, 0, 46)),
    traffic: known(traffic),
    keywordsCount: known(Math.max(12, Math.round(traffic * Math.exp(-0.35 + 0.5 * random.normal())))),
    refDomains: known(refDomains),
  };
  return { metrics, quality };
}

/** Rounds traffic, which is an estimate: estimates come with two or three figures. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.round(value / step) * step;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
