import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive } from '../process/identity';

let counter = 0;

/** Writes down that this process uses the server. The caller holds the launcher's lock. @returns the entry's file */
export function enterUser(users: string): string {
  counter += 1;
  const file = join(users, `${process.pid}-${counter}`);
  writeFileSync(file, identityOf(process.pid));
  return file;
}

/**
 * Takes an entry out, and those of processes that are gone. The caller holds the launcher's lock.
 * @returns how many users are left
 */
export function leaveUser(users: string, file: string): number {
  rmSync(file, { force: true });
  let left = 0;
  for (const name of readdirSync(users)) {
    const entry = join(users, name);
    if (isAlive(readFileSync(entry, 'utf8'))) left += 1;
    else rmSync(entry, { force: true });
  }
  return left;
}
