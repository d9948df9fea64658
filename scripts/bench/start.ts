import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../tests/bench/median';
import { startChild, tsxArgs } from '../process/child';
import type { Lifetime } from '../process/lifetime';
import { pickFreePort } from '../process/ports';
import { waitForHttp } from '../process/wait-for-http';
import { buildContestants, startBare, startLinkMarket } from './contestants';
import { startBenchServer } from './database';
import { table, writeReport } from './report';

const rounds = 5;

/** From nothing to the first answer: the built server beside a bare Next.js app, and the demo in an empty folder. */
export async function start(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildContestants(lifetime);
  const { statementsOf } = await import('../../tests/bench/catalogue-queries');
  const statements = { Q1: statementsOf('limit=30&total=none') };
  const contestants = [
    { name: 'app', run: () => startLinkMarket(lifetime, server, 32) },
    { name: 'bare', run: () => startBare(lifetime, 'next', server, server.folder, statements) },
    { name: 'demo', run: () => startDemo(lifetime) },
  ];
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  // The first round fills the disk's memory.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of contestants) {
      const begin = performance.now();
      const { stop } = await run();
      if (round > 0) times.get(name)?.push(performance.now() - begin);
      await stop();
    }
  }
  const [app, bare, demo] = ['app', 'bare', 'demo'].map((name) => median(times.get(name) ?? []) / 1000);
  const seconds = (value = 0) => `${value.toFixed(1)} s`;
  const rows = [
    ['the built server', seconds(app), ''],
    ['bare Next.js', seconds(bare), ''],
    ['ratio', ((app ?? 0) / (bare ?? 1)).toFixed(2), '1.5'],
    ['npm run demo, built, in an empty folder', seconds(demo), '5 s'],
  ];
  writeReport('start', `From the command to the first answer.\n\n${table(['', 'measured', 'bar'], rows)}`);
}

/** With PostgreSQL, migrations and demo data of its own, and nothing of the benchmark's environment. */
async function startDemo(lifetime: Lifetime): Promise<{ stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'linkmarket-demo-'));
  const port = await pickFreePort();
  const child = startChild({
    name: 'demo',
    args: tsxArgs('scripts/demo.ts'),
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      APP_ENV: undefined,
      DATABASE_URL: undefined,
      MIGRATION_DATABASE_URL: undefined,
      DATABASE_POOL_MAX: undefined,
      NEXTAUTH_SECRET: undefined,
      SECRET_KEYS: undefined,
    },
  });
  const stop = async () => {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await lifetime.own(Promise.resolve(child), stop);
  await waitForHttp(`http://localhost:${port}/user/login`, child);
  return { stop };
}
