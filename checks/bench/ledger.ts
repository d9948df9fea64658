import type { Lifetime } from '@/scripts/process/lifetime';
import { atLeast } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

/** Compares transfers and paid orders with a bare UPDATE (docs/internals/ledger.md). */
export async function ledger(lifetime: Lifetime): Promise<void> {
  await startBenchServer(lifetime);
  // Imported here, because its modules read the environment on import.
  const { benchLedger } = await import('@/tests/bench/ledger');
  const { closeDb } = await import('@/db/client');
  const measured = await lifetime.own(benchLedger(), () => closeDb());
  const rows = measured.map(({ what, rate, baseline, limit }) => ({
    ...{ rate, baseline },
    bar: atLeast(`${what} ÷ bare UPDATE`, rate / baseline, limit),
  }));
  const text = table(
    ['', 'a second', 'bare UPDATE', 'ratio', 'bar'],
    rows.map(({ rate, baseline, bar }) => [bar.name, rate.toFixed(0), baseline.toFixed(0), ...barCells(bar)]),
  );
  writeReport('ledger', { text, bars: rows.map(({ bar }) => bar) });
}
