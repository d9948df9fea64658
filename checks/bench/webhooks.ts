import type { Lifetime } from '@/scripts/process/lifetime';
import { atLeast } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';

/** Compares orders with 1,000 endpoints subscribed to their event with orders without (docs/internals/webhooks.md). */
export async function webhooks(lifetime: Lifetime): Promise<void> {
  await startBenchServer(lifetime);
  // Imported here, because its modules read the environment on import.
  const { benchWebhooks } = await import('@/tests/bench/webhooks');
  const { closeDb } = await import('@/db/client');
  const { without, withEndpoints, distributed } = await lifetime.own(benchWebhooks(), () => closeDb());
  const bar = atLeast('orders with 1,000 endpoints ÷ without', withEndpoints / without, 0.9);
  const rows = [
    ['orders a second without endpoints', String(Math.round(without)), ''],
    ['orders a second with 1,000 endpoints', String(Math.round(withEndpoints)), ''],
    ['with ÷ without', ...barCells(bar)],
    ['deliveries created a second, after the commit', String(Math.round(distributed)), ''],
  ];
  writeReport('webhooks', { text: table(['', 'measured', 'bar'], rows), bars: [bar], page: 'webhooks.md' });
}
