import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProcessIdentity, isAlive } from '@/scripts/process/identity';

let counter = 0;

/** Registers this process as a user of the server. The caller holds the launcher's lock. @returns the entry's file */
export function registerUser(users: string): string {
  counter += 1;
  const file = join(users, `${process.pid}-${counter}`);
  writeFileSync(file, getProcessIdentity(process.pid));
  return file;
}

const lingererPrefix = 'lingers-';

/**
 * Registers this process as the one that keeps the server for the next run, and ends those that did so before. The caller
 * holds the launcher's lock. @returns the entry's file
 */
export function registerLingerer(users: string): string {
  for (const name of readdirSync(users).filter((entry) => entry.startsWith(lingererPrefix))) {
    const identity = readFileSync(join(users, name), 'utf8');
    if (isAlive(identity)) process.kill(Number(identity.split('@')[0]), 'SIGKILL');
    rmSync(join(users, name));
  }
  const file = join(users, `${lingererPrefix}${process.pid}`);
  writeFileSync(file, getProcessIdentity(process.pid));
  return file;
}

/**
 * Deletes an entry, and those of processes that have ended. The caller holds the launcher's lock.
 * @returns the number of remaining users
 */
export function unregisterUser(users: string, file: string): number {
  rmSync(file, { force: true });
  let left = 0;
  for (const name of readdirSync(users)) {
    const entry = join(users, name);
    if (isAlive(readFileSync(entry, 'utf8'))) left += 1;
    else rmSync(entry, { force: true });
  }
  return left;
}
