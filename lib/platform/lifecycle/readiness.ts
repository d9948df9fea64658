import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/db/client';
import { pendingMigrations } from '@/db/pending-migrations';
import { log } from '../log/log';
import { testStore } from '../storage/test-store';
import { isEnding } from './process-state';

/** The time limit of a check, also when the database or the store hangs. */
const limitMs = 3_000;
/** The store check writes a file and the endpoint is public, so its result is cached. */
const storeKeptMs = 30_000;

/** The dependencies of a process and whether they work. */
export type Readiness = Record<'process' | 'database' | 'migrations' | 'contentStore', boolean>;

/**
 * Checks whether this process can serve requests: it is not shutting down, the database answers and has all migrations,
 * and the content store accepts files (checked every 30 seconds). Reports which part fails; the log contains the
 * reason.
 */
export async function readiness(): Promise<Readiness> {
  const [database, contentStore] = await Promise.all([checkDatabase(), checkStore()]);
  return { process: !isEnding(), ...database, contentStore };
}

type DatabaseReadiness = Pick<Readiness, 'database' | 'migrations'>;
let asking: Promise<DatabaseReadiness> | undefined;

/** Concurrent callers share one query: the endpoint is public, and each would wait for a database that hangs. */
function checkDatabase(): Promise<DatabaseReadiness> {
  asking ??= askDatabase().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function askDatabase(): Promise<DatabaseReadiness> {
  try {
    const found = await inTime(pendingMigrations(db().$client));
    return { database: true, migrations: !found || found.pending === 0 };
  } catch (thrown) {
    log().error({ err: thrown }, 'Not ready: the database does not answer.');
    return { database: false, migrations: false };
  }
}

let tried: { at: number; result: Promise<boolean> } | undefined;

function checkStore(): Promise<boolean> {
  if (!tried || performance.now() - tried.at > storeKeptMs) tried = { at: performance.now(), result: tryStore() };
  return tried.result;
}

async function tryStore(): Promise<boolean> {
  try {
    return (await inTime(testStore())).ok;
  } catch (thrown) {
    log().error({ err: thrown }, 'Not ready: the content store does not answer.');
    return false;
  }
}

/** @throws Error when the promise does not settle within the time limit */
async function inTime<T>(asking: Promise<T>): Promise<T> {
  const late = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`No answer in ${limitMs / 1000} seconds.`);
  });
  return Promise.race([asking, late]);
}
