import type { Lifetime } from '@/scripts/process/lifetime';
import { atLeast, atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

/** Compares transfers and paid orders with a bare UPDATE (docs/internals/ledger.md), and a cart of 30 sites with one of one. */
export async function ledger(lifetime: Lifetime): Promise<void> {
  await startBenchServer(lifetime);
  // Imported here, because its modules read the environment on import.
  const { benchCarts } = await import('@/tests/bench/carts');
  const { benchLedger } = await import('@/tests/bench/ledger');
  const { closeDb } = await import('@/db/client');
  const measure = async () => ({ ledger: await benchLedger(), carts: await benchCarts() });
  const measured = await lifetime.own(measure(), () => closeDb());
  const rows = measured.ledger.map(({ what, rate, baseline, limit }) => ({
    ...{ rate, baseline },
    bar: atLeast(`${what} ÷ bare UPDATE`, rate / baseline, limit),
  }));
  const carts = measured.carts.map(({ what, oneMs, thirtyMs, limit }) => ({
    ...{ oneMs, thirtyMs },
    bar: atMost(`a cart of 30 ${what} ÷ one of one`, thirtyMs / oneMs, limit),
  }));
  const rates = table(
    ['', 'a second', 'bare UPDATE', 'ratio', 'bar'],
    rows.map(({ rate, baseline, bar }) => [bar.name, rate.toFixed(0), baseline.toFixed(0), ...barCells(bar)]),
  );
  const times = table(
    ['', '30 sites, ms', 'one site, ms', 'ratio', 'bar'],
    carts.map(({ oneMs, thirtyMs, bar }) => [bar.name, thirtyMs.toFixed(1), oneMs.toFixed(1), ...barCells(bar)]),
  );
  writeReport('ledger', { text: `${rates}\n\n${times}`, bars: [...rows, ...carts].map(({ bar }) => bar) });
}
