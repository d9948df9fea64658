import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getProcessIdentity, isAlive } from '@/scripts/process/identity';
import { holderPid, isHolderEnding, tryAcquireLock, withLock } from '@/scripts/process/lock';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkmarket-lock-'));
  file = join(folder, 'a.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('runs one at a time, and everyone gets a turn', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(file, work)));
  expect(most).toBe(1);
});

test('a held lock is refused with its holder; a released one can be acquired', () => {
  const release = tryAcquireLock(file);
  expect(tryAcquireLock(file)).toBeUndefined();
  expect(holderPid(file)).toBe(String(process.pid));
  release?.();
  expect(tryAcquireLock(file)).toBeTypeOf('function');
});

test('takes over the lock of a dead process, also when its pid was reused', () => {
  writeFileSync(file, `${process.pid}@some-earlier-start\n1`);
  expect(tryAcquireLock(file)).toBeTypeOf('function');
});

test('a holder without a running npm is reported as ending', () => {
  const holder = `${getProcessIdentity(process.pid)}\n1`;
  writeFileSync(file, `${holder}\n${process.pid}@some-earlier-start`);
  expect(isHolderEnding(file)).toBe(true);
  expect(tryAcquireLock(file)).toBeUndefined();
  writeFileSync(file, `${holder}\n${getProcessIdentity(process.ppid)}`);
  expect(isHolderEnding(file)).toBe(false);
  writeFileSync(file, `${holder}\n`);
  expect(isHolderEnding(file)).toBe(false);
});

test('a process is identified by its pid and its start time', () => {
  expect(isAlive(getProcessIdentity(process.pid))).toBe(true);
  expect(isAlive(`${process.pid}@0`)).toBe(false);
  expect(isAlive('')).toBe(false);
});
