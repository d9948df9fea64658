import { linkSync, mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunner } from './ancestors';
import { identityOf, isAlive } from './identity';

let counter = 0;
let runner: string | undefined;

/**
 * Runs `work` while this process alone holds the lock file; others wait. The lock of a process that died is taken
 * over.
 * @throws Error when a living process holds it longer than `patienceMs`
 */
export async function withLock<T>(path: string, work: () => Promise<T>, patienceMs = 120_000): Promise<T> {
  const deadline = Date.now() + patienceMs;
  let release = tryHold(path);
  while (!release) {
    if (Date.now() > deadline) throw new Error(`${path} is held by process ${holderPid(path)}. End it and try again.`);
    await sleep(50);
    release = tryHold(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * Takes the lock file when nobody alive holds it.
 * @returns the function that gives it back; undefined when somebody holds it
 */
export function tryHold(path: string): (() => void) | undefined {
  counter += 1;
  runner ??= [findRunner()].flat().join('\t');
  // The counter tells two holders inside one process apart.
  const mine = `${identityOf(process.pid)}\n${counter}\n${runner}`;
  if (!tryLink(path, mine)) {
    removeStale(path);
    if (!tryLink(path, mine)) return undefined;
  }
  return () => {
    if (readOrEmpty(path) === mine) unlinkSync(path);
  };
}

/** The number of the process that holds the lock file, for messages; empty when nobody does. */
export function holderPid(path: string): string {
  return holderOf(path).split('@')[0] ?? '';
}

/** Whether the `npm run …` that started the holder is gone, killed for instance: the holder notices that and ends. */
export function isHolderEnding(path: string): boolean {
  const runners = readOrEmpty(path).split('\n')[2] ?? '';
  return runners.split('\t').some((identity) => identity !== '' && !isAlive(identity));
}

/** A hard link appears with its content in one step, so nobody ever reads a half-written lock. */
function tryLink(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${counter}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Only one process at a time may judge and remove, or it could remove a lock that was taken in between. */
function removeStale(path: string): void {
  if (isAlive(holderOf(path))) return;
  const guard = `${path}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    removeOldGuard(guard);
    return;
  }
  try {
    const holder = holderOf(path);
    if (holder !== '' && !isAlive(holder)) unlinkSync(path);
  } finally {
    rmdirSync(guard);
  }
}

/** The guard is held for microseconds; one that is seconds old was left by a process killed in that moment. */
function removeOldGuard(guard: string): void {
  try {
    if (Date.now() - statSync(guard).mtimeMs > 5_000) rmdirSync(guard);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function holderOf(path: string): string {
  return readOrEmpty(path).split('\n')[0] ?? '';
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
