import postgres from 'postgres';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { portalPages } from '@/tests/api/routes';
import { median } from '@/tests/bench/median';
import { findRecords } from '@/tests/setup/page-records';
import { atMost, type Bar, isHeld } from './bars';
import { readCpuMs } from './cpu-time';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { buildTargets, demoAccounts, signIn, startBare } from './targets';

/** The CPU time of a page may be three times that of the bare page with as many rows. */
const limit = 3;
/** Enough for the compiler of Node.js: a page that was requested ten times takes twice as long. */
const warmUpRequests = 40;
const rounds = 5;
const sliceRequests = 6;

type Portal = keyof typeof demoAccounts;

type Page = { portal: Portal; path: string; address: string };
type Server = { origin: string; pid: number; cookie: string };
type Sample = { cpuMs: number; firstByteMs: number };

/**
 * Compares the CPU time of every page of the portals, with the demo's data, with that of a bare Next.js page of as many
 * rows.
 */
export async function pageCpu(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const options = { appEnv: 'test' as const, port: await pickFreePort(), dataDir: server.folder, say: () => undefined };
  const services = await startServices(lifetime, options);
  await services.seeded;
  const child = await startApp(lifetime, 'start', { ...services.env, JOBS: 'off' }, () => undefined);
  const origin = services.env.APP_URL;
  const cookies: Record<Portal, string> = { user: '', seller: '', admin: '' };
  for (const portal of ['user', 'seller', 'admin'] as const) cookies[portal] = await signIn(origin, portal);

  const pages = await listPages(services.env.DATABASE_URL);
  const counts = new Map<string, number>();
  for (const page of pages) counts.set(page.path, await countRows(`${origin}${page.address}`, cookies[page.portal]));
  const { statementsOf } = await import('@/tests/bench/catalogue-queries');
  const { list } = statementsOf(`limit=${maxRows}&total=none`);
  const statements = [...new Set([0, ...counts.values()])].map((rows) => [
    `rows${rows}`,
    { list: { ...list, sql: `select * from (${list.sql}) as page limit ${rows}` }, count: null, prepare: true },
  ]);
  const bare = await startBare(
    lifetime,
    'next',
    { appUrl: services.env.DATABASE_URL },
    server.folder,
    Object.fromEntries(statements),
    '/rows?name=rows0',
  );

  const theirs = { origin: bare.origin, pid: bare.pid, cookie: '' };
  // The bare page is one, whatever its rows.
  for (const rows of new Set(counts.values())) await sample(theirs, `/rows?name=rows${rows}`, warmUpRequests);
  const lines: { cells: string[]; bar: Bar }[] = [];
  for (const { portal, path, address } of pages) {
    const rows = counts.get(path) ?? 0;
    const ours = { origin, pid: child.pid, cookie: cookies[portal] };
    const bareAddress = `/rows?name=rows${rows}`;
    await sample(ours, address, warmUpRequests);
    const samples: { app: Sample[]; bare: Sample[] } = { app: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      samples.app.push(await sample(ours, address, sliceRequests));
      samples.bare.push(await sample(theirs, bareAddress, sliceRequests));
    }
    const of = (name: 'app' | 'bare', key: keyof Sample) => median(samples[name].map((one) => one[key]));
    const ratio = median(samples.app.map(({ cpuMs }, index) => cpuMs / (samples.bare[index]?.cpuMs ?? cpuMs)));
    const [appCpu, bareCpu] = [of('app', 'cpuMs'), of('bare', 'cpuMs')];
    const held = atMost(`CPU of ${path} ÷ bare page of as many rows`, ratio, limit);
    const cells = [
      ...[`\`${path}\``, String(rows), appCpu.toFixed(1), bareCpu.toFixed(1), ...barCells(held)],
      ...[of('app', 'firstByteMs').toFixed(0), of('bare', 'firstByteMs').toFixed(0)],
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
    lines.push({ cells, bar: held });
  }
  const missed = lines.filter(({ bar }) => !isHeld(bar)).length;
  const head = ['page', 'rows', 'CPU, ms', 'bare, CPU, ms', 'ratio', 'bar', 'first byte, ms', 'bare, first byte, ms'];
  const rows = lines.sort((one, other) => other.bar.measured - one.bar.measured).map(({ cells }) => cells);
  const text = `CPU time of the server's process for a request, with the demo's data, beside that of a bare Next.js page \
with as many rows of the catalog, one request at a time. Medians of ${rounds} rounds of ${sliceRequests} requests. ${missed} of \
${lines.length} pages are above the bar.\n\n${table(head, rows)}`;
  writeReport('page-cpu', { text, bars: lines.map(({ bar }) => bar) });
}

async function listPages(databaseUrl: string): Promise<Page[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const people = await sql<{ id: string; email: string }[]>`
      select id, email from users where email in (${demoAccounts.user}, ${demoAccounts.seller})`;
    const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? '';
    const records = await findRecords(sql, { buyerId: idOf(demoAccounts.user), sellerId: idOf(demoAccounts.seller) });
    return portalPages
      .filter(({ path }) => !unmeasured.has(path) && (!path.includes('[') || records.has(path)))
      .map(({ path, portal }) => ({ portal, path, address: records.get(path) ?? path }));
  } finally {
    await sql.end();
  }
}

/** A redirect to another page. */
const unmeasured = new Set(['/user/dashboard', '/dashboard/confirm']);

/**
 * Counts the rows of a page: of its tables, the items of its lists or the fields of its forms, whichever are more.
 */
async function countRows(url: string, cookie: string): Promise<number> {
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}.`);
  const html = (await response.text()).replace(/<script\b.*?<\/script>|<thead.*?<\/thead>/gs, '');
  const count = (tags: string) =>
    [...html.slice(html.indexOf('<main')).matchAll(new RegExp(`<(?:${tags})\\b`, 'g'))].length;
  return Math.min(maxRows, Math.max(count('tr'), count('li'), count('input|select|textarea')));
}

/** The demo's catalog has enough sites for as many. */
const maxRows = 500;

/** Requests a page several times in a row. @returns the mean CPU time and time to the first byte of a request */
async function sample({ origin, pid, cookie }: Server, address: string, requests: number): Promise<Sample> {
  let firstByte = 0;
  const before = readCpuMs(pid);
  for (let index = 0; index < requests; index++) {
    const begin = performance.now();
    const response = await fetch(`${origin}${address}`, { headers: { cookie }, redirect: 'manual' });
    if (response.status !== 200 || !response.body) throw new Error(`${address} answers ${response.status}.`);
    const reader = response.body.getReader();
    await reader.read();
    firstByte += performance.now() - begin;
    while (!(await reader.read()).done);
  }
  return { cpuMs: (readCpuMs(pid) - before) / requests, firstByteMs: firstByte / requests };
}
