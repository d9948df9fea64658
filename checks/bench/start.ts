import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';
import { median } from '@/tests/bench/median';
import { atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startBare, startLinkMarket } from './targets';

const rounds = 5;

/**
 * Measures the time to the first response: the built server compared with a bare Next.js app, and the demo in an empty
 * folder.
 */
export async function start(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const { statementsOf } = await import('@/tests/bench/catalogue-queries');
  const page = statementsOf('limit=30&total=none');
  const app = async (firstPath: string) => measured(await startLinkMarket(lifetime, server, 32, { firstPath }));
  const bare = async (firstPath: string) =>
    measured(await startBare(lifetime, 'next', server, server.folder, { Q1: page, page }, firstPath));
  const targets = [
    { name: 'page', run: () => app('/user/login') },
    { name: 'bare page', run: () => bare('/rows') },
    { name: 'route', run: () => app('/api/health') },
    { name: 'bare route', run: () => bare('/sql/Q1') },
    { name: 'demo', run: () => runDemo(lifetime) },
  ];
  const times = new Map<string, number[]>();
  // The first round fills the disk cache.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of targets) {
      for (const [what, ms] of Object.entries(await run())) {
        const key = `${name} ${what}`;
        if (round > 0) times.set(key, [...(times.get(key) ?? []), ms]);
      }
    }
  }
  const secondsOf = (name: string) => median(times.get(name) ?? []) / 1000;
  const compared = [
    { label: 'a page (sign-in; 30 rows)', name: 'page' },
    { label: 'an API route that reads the database', name: 'route' },
  ].map(({ label, name }) => {
    const [ours, theirs] = [secondsOf(`${name} answers`), secondsOf(`bare ${name} answers`)];
    return { ours, theirs, bar: atMost(`${label} ÷ bare Next.js`, ours / theirs, 1.5), label };
  });
  const demoAnswers = atMost('the demo: first response', secondsOf('demo answers'), 5, 's');
  const beside = table(
    ['first request', 'the built server', 'bare Next.js', 'ratio', 'bar'],
    compared.map(({ label, ours, theirs, bar }) => [
      label,
      `${ours.toFixed(2)} s`,
      `${theirs.toFixed(2)} s`,
      ...barCells(bar),
    ]),
  );
  const demo = table(
    ['npm run demo, built, in an empty folder', 'measured', 'bar'],
    [
      ['first response', ...barCells(demoAnswers)],
      ['data seeded', `${secondsOf('demo ready').toFixed(1)} s`, ''],
    ],
  );
  writeReport('start', {
    text: `From the command to the first response.\n\n${beside}\n\n${demo}`,
    bars: [...compared.map(({ bar }) => bar), demoAnswers],
  });
}

async function measured({ firstResponseMs, stop }: BenchTarget): Promise<{ answers: number }> {
  await stop();
  return { answers: firstResponseMs };
}

/**
 * Starts the demo with its own PostgreSQL, migrations and demo data, without the benchmark's environment.
 * @returns milliseconds
 */
async function runDemo(lifetime: Lifetime): Promise<{ answers: number; ready: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'linkmarket-demo-'));
  const port = await pickFreePort();
  const begin = performance.now();
  let sayReady = (_ms: number): void => undefined;
  const isReady = new Promise<number>((resolve) => {
    sayReady = resolve;
  });
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
    onLine: (line) => {
      if (line.includes('LinkMarket runs at')) sayReady(performance.now() - begin);
    },
  });
  const stop = async () => {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await lifetime.own(Promise.resolve(child), stop);
  await waitForHttp(`http://localhost:${port}/user/login`, child);
  const answers = performance.now() - begin;
  const ended = child.exited.then(() => {
    throw new Error(`The demo ended:\n${child.tail()}`);
  });
  const ready = await Promise.race([isReady, ended]);
  await stop();
  return { answers, ready };
}
