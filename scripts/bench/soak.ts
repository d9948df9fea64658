import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { z } from 'zod';
import { largeSize } from '../../tests/bench/seed-scale';
import type { Lifetime } from '../process/lifetime';
import { startBenchServer } from './database';
import { table, writeReport } from './report';
import { addSeededDatabase, type Installation, residentMb, startInstallation } from './scale-measure';
import { buildTargets, cronSecret } from './targets';

const minutes = 10;
/** Requests in flight at the same time. */
const clients = 6;
/** The pause of a client after each request, which keeps the load below the capacity. */
const pauseMs = 100;

/** The requests of the mix, with the person who sends each, in the proportions of their occurrence. */
const mix = [
  ['buyer', '/user/marketplace'],
  ['buyer', '/api/guest-posts?limit=25'],
  ['buyer', '/user/orders'],
  ['large buyer', '/user/orders?status=Live'],
  ['large buyer', '/user/wallet'],
  ['large buyer', '/user/dashboard'],
  ['seller', '/seller'],
  ['large seller', '/seller/my-sites'],
  ['admin', '/dashboard'],
  ['admin', '/dashboard/features/orders'],
  ['admin', '/dashboard/features/orders?q=garden'],
  ['admin', '/dashboard/features/wallet-manager?tab=transactions'],
  ['admin', '/dashboard/features/audit-logs?q=order'],
  ['admin', '/dashboard/features/users'],
] as const;

/** Runs mixed traffic on the large installation and writes memory, connections and response times to docs/scale.md. */
export async function soak(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const { people, ...database } = await addSeededDatabase(server, 'large', largeSize);
  const installation = await startInstallation(lifetime, database, people, largeSize);
  writeReport('soak', await measureSoak(installation, database.adminUrl, minutes), 'scale.md');
}

type Minute = { requests: number; orders: number; p50: number; p99: number; memoryMb: number; connections: number };

const placed = z.object({ orders: z.array(z.unknown()).min(1) });

/** Sends the mix for some minutes: pages, lists, orders of the large buyer, and the jobs. @returns a table in Markdown */
async function measureSoak(installation: Installation, adminUrl: string, length: number): Promise<string> {
  const { app, cookies, parameters } = installation;
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  const sites = await sql<{ id: number }[]>`
    select id from sites where status = 'Approved' and public_price_usd_cents between 1 and 5000 and deleted_at is null
    order by id limit 1000`;
  let times: number[] = [];
  let orders = 0;
  let isEnded = false;
  const send = async (person: keyof typeof cookies, path: string, init: RequestInit = {}) => {
    const begin = performance.now();
    const response = await fetch(`${app.origin}${path}`, {
      ...init,
      headers: { ...init.headers, cookie: cookies[person], origin: `http://localhost:${new URL(app.origin).port}` },
    });
    const body = await response.text();
    if (response.status >= 400) throw new Error(`${path} answers ${response.status}: ${body.slice(0, 300)}`);
    times.push(performance.now() - begin);
    return body;
  };
  const browse = async (client: number) => {
    for (let turn = client; !isEnded; turn++) {
      const [person, path] = mix[turn % mix.length] ?? mix[0];
      await send(person, path);
      await sleep(pauseMs);
    }
  };
  const order = async () => {
    for (let turn = 0; !isEnded; turn++) {
      const site = sites[turn % sites.length];
      const body = await send('large buyer', '/api/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `soak-${turn}` },
        body: JSON.stringify({ kind: 'custom', projectId: parameters.projectId, siteIds: [site?.id] }),
      });
      placed.parse(JSON.parse(body));
      orders += 1;
      await sleep(500);
    }
  };
  const runJobs = async () => {
    while (!isEnded) {
      await (
        await fetch(`${app.origin}/api/jobs/run`, { headers: { authorization: `Bearer ${cronSecret}` } })
      ).arrayBuffer();
      for (let waited = 0; waited < 20 && !isEnded; waited++) await sleep(1_000);
    }
  };
  const traffic = Promise.all([...Array.from({ length: clients }, (_, client) => browse(client)), order(), runJobs()]);
  const rows: Minute[] = [];
  for (let minute = 0; minute < length; minute++) {
    await Promise.race([sleep(60_000), traffic]);
    const [{ connections } = { connections: 0 }] = await sql<{ connections: number }[]>`
      select count(*)::int as connections from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const sorted = times.sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    const row = {
      requests: sorted.length,
      orders,
      p50: at(0.5),
      p99: at(0.99),
      memoryMb: residentMb(app.pid),
      connections,
    };
    process.stdout.write(`${JSON.stringify(row)}\n`);
    rows.push(row);
    times = [];
    orders = 0;
  }
  isEnded = true;
  await traffic;
  await sql.end();
  return table(
    ['minute', 'requests', 'orders', 'median, ms', 'p99, ms', 'memory, MB', 'connections'],
    rows.map((row, index) => [
      String(index + 1),
      String(row.requests),
      String(row.orders),
      row.p50.toFixed(0),
      row.p99.toFixed(0),
      row.memoryMb.toFixed(0),
      String(row.connections),
    ]),
  );
}
