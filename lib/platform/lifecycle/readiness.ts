import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/db/client';
import { pendingMigrations } from '@/db/pending-migrations';
import { log } from '../log/log';
import { testStore } from '../storage/test-store';
import { isEnding } from './process-state';

/** Whoever asks gets an answer in this time, also from a database or a store that hangs. */
const limitMs = 3_000;
/** Trying the store writes a file, and anybody may ask. */
const storeKeptMs = 30_000;

/** What a process needs for its work, and whether it has it. */
export type Readiness = Record<'process' | 'database' | 'migrations' | 'contentStore', boolean>;

/**
 * Whether this process can do all its work: it is not ending, the database answers and has this version's migrations,
 * and the content store keeps files (tried every 30 seconds). Says which part fails and never why: that is in the log.
 */
export async function readiness(): Promise<Readiness> {
  const [database, contentStore] = await Promise.all([checkDatabase(), checkStore()]);
  return { process: !isEnding(), ...database, contentStore };
}

type DatabaseReadiness = Pick<Readiness, 'database' | 'migrations'>;
let asking: Promise<DatabaseReadiness> | undefined;

/** Whoever asks meanwhile gets the same answer: anybody may ask, and a database that hangs would be asked by each. */
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

/** @throws Error when it takes longer */
async function inTime<T>(asking: Promise<T>): Promise<T> {
  const late = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`No answer in ${limitMs / 1000} seconds.`);
  });
  return Promise.race([asking, late]);
}
