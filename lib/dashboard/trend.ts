/**
 * The change from one span to the next in whole percent; null where there is nothing to compare with.
 * @example trendPercent(15, 10) // 50
 */
export function trendPercent(recent: number, before: number): number | null {
  return before > 0 ? Math.round(((recent - before) / before) * 100) : null;
}
