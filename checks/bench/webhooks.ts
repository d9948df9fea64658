import type { Lifetime } from '@/scripts/process/lifetime';
import { startBenchServer } from './database';
import { table, writeReport } from './report';

/** Compares orders with 1,000 endpoints subscribed to their event with orders without (docs/internals/webhooks.md). */
export async function webhooks(lifetime: Lifetime): Promise<void> {
  await startBenchServer(lifetime);
  // Imported here, because its modules read the environment on import.
  const { benchWebhooks } = await import('@/tests/bench/webhooks');
  const { closeDb } = await import('@/db/client');
  const { without, withEndpoints, distributed } = await lifetime.own(benchWebhooks(), () => closeDb());
  const rows = [
    ['orders a second without endpoints', String(Math.round(without)), ''],
    ['orders a second with 1,000 endpoints', String(Math.round(withEndpoints)), ''],
    ['with ÷ without', (withEndpoints / without).toFixed(2), 'about 1'],
    ['deliveries created a second, after the commit', String(Math.round(distributed)), ''],
  ];
  writeReport('webhooks', table(['', 'measured', 'aimed at'], rows), 'webhooks.md');
}
