import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { closeCircuit, openCircuit, wasPoolUsed } from '@/db/client';
import { openPool } from '@/db/open-pool';
import { env } from '@/lib/env';
import { log } from '@/lib/platform/log/log';

/** The interval between probes of a database that is in use. */
const intervalMs = 5_000;
/** The time limit of a probe, which selects a constant. */
const probeTimeoutMs = 10_000;
/** The interval between probes of a database that does not answer. */
const retryMs = 1_000;

/**
 * Detects a PostgreSQL server that neither answers nor closes its connections, because its machine froze or the network
 * drops packets, and fails the queries that wait for it. Without it they would wait about a quarter of an hour, and
 * PostgreSQL's own timeouts need a running server. Probes over a separate connection, which a busy pool or a long
 * statement does not delay. Disabled behind a transaction pooler (DATABASE_PREPARE=off), where a probe would queue and
 * an overload would look like a hang.
 */
export function watchDatabase(): void {
  if (env().DATABASE_PREPARE === 'off') return;
  let probe: postgres.Sql | undefined;
  const isAvailable = async () => {
    probe ??= openPool(1);
    if (await isResponsive(probe)) return true;
    await probe.end({ timeout: 0 });
    probe = undefined;
    return false;
  };
  const check = async () => {
    if (!wasPoolUsed() || (await isAvailable())) return;
    log().error('The database hangs: requests that need it are refused until it responds.');
    try {
      await openCircuit();
      do await pause(retryMs);
      while (!(await isAvailable()));
    } finally {
      closeCircuit();
    }
    log().info('The database responds again.');
  };
  void (async () => {
    for (;;) {
      await pause(intervalMs);
      await check().catch((thrown: unknown) => log().error({ err: thrown }, 'The watch of the database failed.'));
    }
  })();
}

/** Any answer counts, also an error: only a timeout means that the database hangs. */
async function isResponsive(sql: postgres.Sql): Promise<boolean> {
  const answered = sql`select 1`.then(
    () => true,
    (thrown: unknown) => !(thrown instanceof Error && 'code' in thrown && thrown.code === 'CONNECT_TIMEOUT'),
  );
  const late = pause(probeTimeoutMs)
    // If this process itself was frozen, the timer fires before the answer is read.
    .then(() => pause(retryMs))
    .then(() => false);
  return Promise.race([answered, late]);
}

const pause = (ms: number) => wait(ms, undefined, { ref: false });
