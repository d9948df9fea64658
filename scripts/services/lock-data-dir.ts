import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '@/scripts/process/lifetime';
import { holderPid, isHolderEnding, tryAcquireLock } from '@/scripts/process/lock';

/** Longer than a run needs to stop its services on a slow machine. */
const timeoutMs = 90_000;

/**
 * Locks a data directory for one run: two runs would overwrite each other's gateway state. A killed run needs some
 * seconds to stop its services and release the directory and the ports, so this waits for it.
 * @param say prints a line of progress
 * @throws Error when another run uses the directory
 */
export async function lockDataDir(lifetime: Lifetime, dataDir: string, say: (line: string) => void): Promise<void> {
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o711 });
  const file = join(resolve(dataDir), 'run.lock');
  const deadline = Date.now() + timeoutMs;
  let release = tryAcquireLock(file);
  if (!release && isHolderEnding(file)) say(`waiting for the run that was killed (process ${holderPid(file)}) to end`);
  while (!release && isHolderEnding(file) && Date.now() < deadline) {
    await sleep(100);
    release = tryAcquireLock(file);
  }
  // The holder may have ended since the last attempt.
  release ??= tryAcquireLock(file);
  if (!release) {
    throw new Error(
      `Another run (process ${holderPid(file)}) uses ${resolve(dataDir)}. Stop it, or set DATA_DIR to another folder, ` +
        'e.g. DATA_DIR=.data-2',
    );
  }
  await lifetime.own(Promise.resolve(release), (give) => give());
}
