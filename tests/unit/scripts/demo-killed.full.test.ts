import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createTempFolder } from '@/scripts/testing/temp-folder';

const folder = createTempFolder('linkmarket-killed-');
const dataDir = join(folder, 'data');
const root = join(import.meta.dirname, '../../..');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The developer's environment must not lead the demo to another database. */
const env: NodeJS.ProcessEnv = { ...process.env };
for (const name of Object.keys(env)) {
  if (/^(DATABASE_|MIGRATION_|APP_|NEXTAUTH_|SECRET_KEYS$|GATEWAY_)/.test(name)) delete env[name];
}

type Run = { child: ChildProcess; stages: string[]; output: () => string };

function start(): Run {
  const script = join(import.meta.dirname, 'run-services.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stages: string[] = [];
  let output = '';
  child.on('message', (message) => stages.push(String(message)));
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, stages, output: () => output };
}

/** Waits for the given step of a run and kills it there. */
async function killAt(isThere: (run: Run) => boolean): Promise<void> {
  const run = start();
  const closed = once(run.child, 'close');
  await vi.waitFor(
    () => {
      if (run.child.exitCode === null && !isThere(run)) throw new Error(`It is not there yet:\n${run.output()}`);
    },
    { timeout: 60_000, interval: 5 },
  );
  run.child.kill('SIGKILL');
  const [code] = await closed;
  expect(code, run.output()).toBeNull();
}

const postgres = join(dataDir, 'postgres');
const isCreatingCluster = () =>
  existsSync(postgres) && readdirSync(postgres).some((name) => name.startsWith('cluster-new-'));

test('the next run completes a demo killed during setup, migration or seeding', {
  timeout: 180_000,
}, async () => {
  await killAt(({ stages }) => stages.includes('started'));
  await killAt(isCreatingCluster);
  await killAt(() => existsSync(join(postgres, 'port')));
  await killAt(({ stages }) => stages.includes('migrated'));

  const last = start();
  const [code] = await once(last.child, 'close');
  expect(code, last.output()).toBe(0);
  expect(last.stages).toEqual(['started', 'migrated', 'seeded']);
  expect(readdirSync(postgres).filter((name) => name.startsWith('cluster-new-'))).toEqual([]);

  const books = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/books-verify.ts'], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect(books.stdout).toContain('The books balance.');
  expect(books.stdout).toMatch(/wallet +\d/);

  const again = start();
  expect(await once(again.child, 'close')).toEqual([0, null]);
  expect(again.output(), 'the data is there already').not.toContain('Demo data written.');
});
