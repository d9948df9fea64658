import { linkSync, mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunner } from './ancestors';
import { getProcessIdentity, isAlive } from './identity';

let counter = 0;
let runner: string | undefined;

/**
 * Runs `work` while this process holds the lock file exclusively; others wait. A lock of an ended process is taken
 * over.
 * @throws Error when a running process holds it longer than `patienceMs`
 */
export async function withLock<T>(path: string, work: () => Promise<T>, patienceMs = 120_000): Promise<T> {
  const deadline = Date.now() + patienceMs;
  let release = tryAcquireLock(path);
  while (!release) {
    if (Date.now() > deadline)
      throw new Error(`${path} is locked by process ${holderPid(path)}. End it and try again.`);
    await sleep(50);
    release = tryAcquireLock(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * Acquires the lock file when no running process holds it.
 * @returns the function that releases it; undefined when another process holds it
 */
export function tryAcquireLock(path: string): (() => void) | undefined {
  counter += 1;
  runner ??= [findRunner()].flat().join('\t');
  // The counter distinguishes two holders in one process.
  const mine = `${getProcessIdentity(process.pid)}\n${counter}\n${runner}`;
  if (!tryLink(path, mine)) {
    removeStale(path);
    if (!tryLink(path, mine)) return undefined;
  }
  return () => {
    if (readOrEmpty(path) === mine) unlinkSync(path);
  };
}

/** Returns the pid of the lock's holder for messages, or an empty string. */
export function holderPid(path: string): string {
  return getHolder(path).split('@')[0] ?? '';
}

/** Checks whether the `npm run …` that started the holder has ended: the holder notices this and ends. */
export function isHolderEnding(path: string): boolean {
  const runners = readOrEmpty(path).split('\n')[2] ?? '';
  return runners.split('\t').some((identity) => identity !== '' && !isAlive(identity));
}

/** Creates a hard link, atomically with its content, so no process reads a partial lock. */
function tryLink(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${counter}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Removes a stale lock, in one process at a time, or it could delete a lock acquired in the meantime. */
function removeStale(path: string): void {
  if (isAlive(getHolder(path))) return;
  const guard = `${path}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
    removeOldGuard(guard);
    return;
  }
  try {
    const holder = getHolder(path);
    if (holder !== '' && !isAlive(holder)) unlinkSync(path);
  } finally {
    rmdirSync(guard);
  }
}

/** Removes a guard that a killed process left: a guard is held for microseconds. */
function removeOldGuard(guard: string): void {
  try {
    if (Date.now() - statSync(guard).mtimeMs > 5_000) rmdirSync(guard);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error;
  }
}

function getHolder(path: string): string {
  return readOrEmpty(path).split('\n')[0] ?? '';
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
