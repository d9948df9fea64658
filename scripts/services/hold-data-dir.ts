import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '../process/lifetime';
import { holderPid, isHolderEnding, tryHold } from '../process/lock';

/** More than a run needs to stop its services, on a slow machine and in the middle of starting them. */
const patienceMs = 90_000;

/**
 * Keeps a data directory to one run: two would write over each other's gateway state. A run that was killed needs some
 * seconds to stop its services and give the directory and the ports back; it is waited for.
 * @param say prints a line of progress
 * @throws Error when another run uses the directory
 */
export async function holdDataDir(lifetime: Lifetime, dataDir: string, say: (line: string) => void): Promise<void> {
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o711 });
  const file = join(resolve(dataDir), 'run.lock');
  const deadline = Date.now() + patienceMs;
  let release = tryHold(file);
  if (!release && isHolderEnding(file)) say(`waiting for the run that was killed (process ${holderPid(file)}) to end`);
  while (!release && isHolderEnding(file) && Date.now() < deadline) {
    await sleep(100);
    release = tryHold(file);
  }
  // The holder may have ended between the last two looks.
  release ??= tryHold(file);
  if (!release) {
    throw new Error(
      `Another run (process ${holderPid(file)}) uses ${resolve(dataDir)}. Stop it, or set DATA_DIR to another folder, ` +
        'e.g. DATA_DIR=.data-2',
    );
  }
  await lifetime.own(Promise.resolve(release), (give) => give());
}
