import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/db/client';
import { pendingMigrations } from '@/db/pending-migrations';
import { log } from '@/lib/platform/log/log';
import { testStore } from '@/lib/platform/storage/store';
import { isShuttingDown } from './process-state';

/** The time limit of a check, also when the database or the store hangs. */
const timeoutMs = 3_000;
/** The store check writes a file and the endpoint is public, so its result is cached. */
const storeCacheMs = 30_000;

/** The dependencies of a process and whether they work. */
export type Readiness = Record<'process' | 'database' | 'migrations' | 'contentStore', boolean>;

/**
 * Checks whether this process can serve requests: it is not shutting down, the database answers and has all migrations,
 * and the content store accepts files (checked every 30 seconds). Reports which part fails; the log contains the
 * reason.
 */
export async function checkReadiness(): Promise<Readiness> {
  const [database, contentStore] = await Promise.all([checkDatabase(), checkStore()]);
  return { process: !isShuttingDown(), ...database, contentStore };
}

type DatabaseReadiness = Pick<Readiness, 'database' | 'migrations'>;
let pending: Promise<DatabaseReadiness> | undefined;

/** Checks the database, once for concurrent callers: the endpoint is public, and each would wait while it hangs. */
function checkDatabase(): Promise<DatabaseReadiness> {
  pending ??= queryDatabase().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function queryDatabase(): Promise<DatabaseReadiness> {
  try {
    const found = await withTimeout(pendingMigrations(db().$client));
    return { database: true, migrations: !found || found.pending === 0 };
  } catch (thrown) {
    log().error({ err: thrown }, 'Not ready: the database does not respond.');
    return { database: false, migrations: false };
  }
}

let lastStoreCheck: { at: number; result: Promise<boolean> } | undefined;

function checkStore(): Promise<boolean> {
  if (!lastStoreCheck || performance.now() - lastStoreCheck.at > storeCacheMs)
    lastStoreCheck = { at: performance.now(), result: queryStore() };
  return lastStoreCheck.result;
}

async function queryStore(): Promise<boolean> {
  try {
    return (await withTimeout(testStore())).ok;
  } catch (thrown) {
    log().error({ err: thrown }, 'Not ready: the content store does not respond.');
    return false;
  }
}

/** Awaits a promise. @throws Error when it does not settle within the time limit */
async function withTimeout<T>(asking: Promise<T>): Promise<T> {
  const late = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`No response in ${timeoutMs / 1000} seconds.`);
  });
  return Promise.race([asking, late]);
}
