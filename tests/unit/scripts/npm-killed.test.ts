import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getProcessIdentity, isAlive } from '@/scripts/process/identity';

let folder = '';
let log = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkmarket-orphan-'));
  log = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
const command = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'orphan.ts')];

/**
 * Starts the command from a process with npm's name, as npm does, and kills that process at the given moment.
 * @returns whether the command still runs
 */
async function killNpm(isTime: () => boolean): Promise<() => boolean> {
  const asNpm = `process.title = 'npm run demo'; const [file, ...args] = process.argv.slice(1);
    process.send(require('node:child_process').spawn(file, args, { stdio: 'ignore' }).pid); setInterval(() => {}, 1000);`;
  const npm = spawn(process.execPath, ['-e', asNpm, ...command, log], {
    env: { ...process.env, npm_lifecycle_event: 'demo' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(npm, 'exit');
  const [pid] = await once(npm, 'message');
  const identity = getProcessIdentity(Number(pid));
  await vi.waitFor(() => expect(isTime()).toBe(true), { timeout: 20_000, interval: 10 });
  npm.kill('SIGKILL');
  await exited;
  return () => isAlive(identity);
}

test('a command stops its children and ends when npm is killed', async () => {
  const stillRuns = await killNpm(() => lines().includes('began'));
  await expect.poll(stillRuns).toBe(false);
  expect(lines()).toEqual(['began', 'stopped']);
});

test('a command whose npm was killed before its first check ends too', async () => {
  const stillRuns = await killNpm(() => true);
  await expect.poll(stillRuns).toBe(false);
  expect(lines().filter((line) => line === 'began')).toHaveLength(lines().filter((line) => line === 'stopped').length);
});
