import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { startChild } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { projectRoot } from '@/scripts/process/root';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { median } from '@/tests/bench/median';
import { browserLaunchOptions } from '@/tests/setup/browser';
import { atLeast, atMost, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { buildTargets, signIn, startBare } from './targets';

/** A separate project, so that Lighthouse's dependencies are installed only for this benchmark. */
const toolFolder = join(projectRoot, 'tests/bench/lighthouse');
const rounds = 5;
/** Of each page, before the rounds. */
const warmUpRequests = 20;

const screens = [
  { name: 'marketplace', portal: 'user', path: '/user/marketplace' },
  { name: 'wallet', portal: 'user', path: '/user/wallet' },
  { name: 'orders', portal: 'user', path: '/user/orders' },
  { name: 'admin dashboard', portal: 'admin', path: '/dashboard' },
  { name: 'seller dashboard', portal: 'seller', path: '/seller' },
] as const;
/** Thirty rows of one number, without a style: what the machine, the browser, Next.js and React take by themselves. */
const bareRows = { list: { sql: 'SELECT generate_series(1, 30) AS id', params: [] }, count: null, prepare: true };
const bareName = 'bare Next.js page';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const pageResultSchema = z.object({
  url: z.string(),
  scores: z.record(z.enum(categories), z.number()),
  paintMs: z.number(),
  /** How long tasks kept the main thread from answering, until the page was interactive. */
  blockingMs: z.number(),
  shift: z.number(),
  /** The audits that reduced the score. */
  missed: z.array(z.string()),
});
type PageResult = z.infer<typeof pageResultSchema>;
type Task = { url: string; cookie: string };

/**
 * Compares the Lighthouse scores of the most used screens with demo data on a phone with those of a bare Next.js page, in
 * turns.
 */
export async function lighthouse(lifetime: Lifetime): Promise<void> {
  installTool();
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const silent = () => undefined;
  const options = { appEnv: 'test' as const, port: await pickFreePort(), dataDir: server.folder, say: silent };
  const services = await startServices(lifetime, options);
  await services.seeded;
  await startApp(lifetime, 'start', services.env, silent);
  const origin = services.env.APP_URL;
  const bare = await startBare(lifetime, 'next', server, server.folder, { page: bareRows }, '/rows');
  const pages = [
    ...(await Promise.all(
      screens.map(async ({ name, portal, path }) => ({
        name,
        url: `${origin}${path}`,
        cookie: await signIn(origin, portal),
      })),
    )),
    { name: bareName, url: `${bare.origin}/rows`, cookie: '' },
  ];
  for (let request = 0; request < warmUpRequests; request++)
    for (const { url, cookie } of pages) await (await fetch(url, { headers: { cookie } })).text();
  const results: PageResult[] = [];
  for (let round = 0; round < rounds; round++) results.push(...(await runLighthouse(lifetime, pages)));
  const medians = pages.map(({ name, url }) => ({
    name,
    ...toMedians(
      name,
      results.filter((result) => result.url === url),
    ),
  }));
  const ofBare = medians.find(({ name }) => name === bareName)?.performance ?? 0;
  const barsOf = ({ name, performance, others, shift }: (typeof medians)[number]): Bar[] => [
    atMost(`${name}: points below the bare page`, ofBare - performance, 3),
    atMost(`${name}: layout shift`, shift, 0),
    ...others.map(({ category, score }) => atLeast(`${name}: ${category}`, score, 95)),
  ];
  const rows = medians.map((one) => {
    const times = [one.paintMs, one.blockingMs].map((ms) => `${Math.round(ms).toLocaleString('en-US')} ms`);
    const bars = barsOf(one).map((bar) => (one.name === bareName ? '' : barCells(bar)[0]));
    return [one.name, String(one.performance), ...bars, ...times];
  });
  const head = [
    ...['page', 'performance', 'points below bare (bar 3)', 'layout shift (bar 0)', 'accessibility (bar 95)'],
    ...['best practices (bar 95)', 'SEO (bar 95)', 'largest paint', 'blocking time'],
  ];
  writeReport('lighthouse', {
    text: `Medians of ${rounds} rounds on a phone.\n\n${table(head, rows)}`,
    bars: medians.filter(({ name }) => name !== bareName).flatMap(barsOf),
  });
}

function toMedians(name: string, results: readonly PageResult[]) {
  const missed = new Set(results.flatMap((result) => result.missed));
  if (missed.size > 0) process.stdout.write(`${name}: ${[...missed].join(', ')}\n`);
  const scoreOf = (category: (typeof categories)[number]) => median(results.map(({ scores }) => scores[category]));
  return {
    performance: scoreOf('performance'),
    others: categories
      .filter((category) => category !== 'performance')
      .map((category) => ({ category, score: scoreOf(category) })),
    paintMs: median(results.map(({ paintMs }) => paintMs)),
    blockingMs: median(results.map(({ blockingMs }) => blockingMs)),
    shift: median(results.map(({ shift }) => shift)),
  };
}

/** Uses a new browser for each round, so that no resources are cached. */
async function runLighthouse(lifetime: Lifetime, tasks: readonly Task[]): Promise<PageResult[]> {
  const port = await pickFreePort();
  const launch = browserLaunchOptions();
  const args = [...(launch.args ?? []), `--remote-debugging-port=${port}`];
  const browser = await lifetime.own(chromium.launch({ ...launch, args }), (running) => running.close());
  const lines: string[] = [];
  const tool = startChild({
    name: 'lighthouse',
    args: [join(toolFolder, 'run.mjs')],
    env: { LIGHTHOUSE_TASK: JSON.stringify({ port, tasks }) },
    onLine: (line) => lines.push(line),
  });
  await lifetime.own(Promise.resolve(tool), (child) => child.stop());
  await tool.exited;
  await browser.close();
  if (tool.exitCode() !== 0) throw new Error(`Lighthouse failed:\n${tool.tail()}`);
  return lines.filter((line) => line.startsWith('{')).map((line) => pageResultSchema.parse(JSON.parse(line)));
}

function installTool(): void {
  if (existsSync(join(toolFolder, 'node_modules/lighthouse'))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: toolFolder, stdio: 'inherit' });
  if (status !== 0) throw new Error('Lighthouse could not be installed; see the lines above.');
}
