import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';

/** Rows per batch and per run, so that an unresponsive provider does not block the job. */
const batchSize = 4;
const maxPerRun = 100;
/** After this many consecutive failures a provider is skipped until the next run. */
const maxOutages = 3;

export type DueCounts = { settled: number; waiting: number; failed: number };
export type DueResult = { result: keyof DueCounts; isDown: boolean };

/**
 * Processes due rows in batches. Rows of a provider that is down stay due; its modes have different hosts and keys.
 * @param leaseDue leases the rows that are due longest, except those of the places, e.g. "stripe:live"
 */
export async function processDue<Row extends { provider: PaymentProviderName; mode: ProviderMode }>(
  leaseDue: (down: readonly string[], limit: number) => Promise<Row[]>,
  process: (row: Row) => Promise<DueResult>,
): Promise<DueCounts> {
  const counts = { settled: 0, waiting: 0, failed: 0 };
  const outages = new Map<string, number>();
  for (let claimed = 0; claimed < maxPerRun; claimed += batchSize) {
    const down = [...outages].filter(([, count]) => count >= maxOutages).map(([place]) => place);
    const due = await leaseDue(down, batchSize);
    const results = await Promise.all(due.map(process));
    for (const [index, { provider, mode }] of due.entries()) {
      const { result, isDown } = results[index] ?? { result: 'failed', isDown: false };
      counts[result] += 1;
      const place = `${provider}:${mode}`;
      outages.set(place, isDown ? (outages.get(place) ?? 0) + 1 : 0);
    }
    if (due.length < batchSize) break;
  }
  return counts;
}
