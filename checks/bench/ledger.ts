import type { Lifetime } from '@/scripts/process/lifetime';
import { startBenchServer } from './database';
import { table, writeReport } from './report';

/** Compares transfers and paid orders with a bare UPDATE (docs/internals/ledger.md). */
export async function ledger(lifetime: Lifetime): Promise<void> {
  await startBenchServer(lifetime);
  // Imported here, because its modules read the environment on import.
  const { benchLedger } = await import('@/tests/bench/ledger');
  const { closeDb } = await import('@/db/client');
  const rows = await lifetime.own(benchLedger(), () => closeDb());
  const head = ['', 'a second', 'bare UPDATE', 'ratio', 'aimed at'];
  const cells = rows.map(({ what, rate, baseline, ratio, bar }) => [
    what,
    String(Math.round(rate)),
    String(Math.round(baseline)),
    ratio.toFixed(2),
    bar.toFixed(2),
  ]);
  writeReport('ledger', table(head, cells));
}
