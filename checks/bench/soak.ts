import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { startTraffic, type Traffic } from '@/checks/drills/traffic';
import { verifyWhole } from '@/checks/drills/verify-whole';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { median } from '@/tests/bench/median';
import { largeSize } from '@/tests/bench/seed-scale';
import { atMost, type Bar, showMeasured } from './bars';
import { startBenchServer } from './database';
import { table, writeReport } from './report';
import { addSeededDatabase, residentMb } from './scale-measure';
import { buildTargets, createSession } from './targets';

const minutes = 30;
/** The minutes at whose start a backup of the whole installation begins, unless the one before is still running. */
const backupMinutes = [5, 15, 25];
/** A backup that began last may end after the traffic. */
const backupMs = 15 * 60_000;
/** The share of the measured capacity at which pages are requested. */
const load = 0.7;
const browsers = 16;
/** Changes beside the pages. An import of the limit of 100 a day fits into each minute. */
const pace = {
  orderingClients: 1,
  pauseMs: { order: 450, 'top-up': 2_000, refund: 4_000, import: 55_000 },
  rowsOfImport: 2_000,
};

/** The pages and lists of the mix, with the person who requests each, in the proportions of their occurrence. */
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

/**
 * Runs mixed traffic at 70 % of the capacity on the large installation for 30 minutes, with imports and backups, and
 * prints memory, connections and response times of each minute, and writes a summary to docs/internals/scale.md.
 * @throws Error when an acknowledged operation is missing or doubled, a balance is wrong, a backup failed, or the books
 *   or the audit log are not sound
 */
export async function soak(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await buildTargets(lifetime);
  const { people, adminUrl, appUrl } = await addSeededDatabase(server, 'large', largeSize);
  const port = await pickFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = { DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: adminUrl, DATABASE_POOL_MAX: '10', APP_URL: origin };
  Object.assign(process.env, own, { TEST_APP_URL: origin });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  await stopLinkChecks(adminUrl);
  const services = await startServices(lifetime, {
    ...{ appEnv: 'test', port, dataDir: join(server.folder, 'app'), say },
    hasDemoData: false,
  });
  Object.assign(process.env, services.env);
  await services.seeded;
  await catchUp(adminUrl);
  const app = await startApp(
    lifetime,
    'start',
    services.env,
    (line) => /"level":"(error|fatal)"/.test(line) && say(line),
  );

  const signIn = async (user: 'Admin' | { id: string }) =>
    `linkmarket.session.${port}=${await createSession(adminUrl, user)}`;
  const cookies = {
    admin: await signIn('Admin'),
    buyer: await signIn({ id: people.ordinaryBuyerId }),
    'large buyer': await signIn({ id: people.buyerId }),
    seller: await signIn({ id: people.ordinarySellerId }),
    'large seller': await signIn({ id: people.sellerId }),
  };
  const gatewayUrl = `http://127.0.0.1:${services.gatewayPort}`;
  const journal = join(server.folder, `soak-${process.pid}.jsonl`);
  const traffic = await startTraffic(origin, [origin], gatewayUrl, journal, pace);
  const pages = createPages(origin, cookies);
  // The first minute compiles and fills caches.
  await pages.run(60_000);
  const capacity = await pages.run(60_000);
  say(`Capacity beside the changes: ${capacity.toFixed(1)} pages per second.`);

  const { findAction, callAction } = await import('@/tests/setup/server-action');
  const { openClient } = await import('@/tests/setup/http-client');
  const backUp = async () => {
    // A backup needs a recent sign-in.
    const client = openClient(await signIn('Admin'));
    const page = '/dashboard/features/backup';
    const action = await findAction(client, page, 'createBackupAction');
    const { status, text } = await callAction(client, page, action, { withFiles: true });
    if (status !== 200) throw new Error(`The backup was answered with ${status}: ${text.slice(0, 300)}`);
  };
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  // Of an earlier run on a kept database.
  await sql`delete from backups`;
  const rows = await measure({ sql, pid: app.pid, rate: capacity * load, pages, traffic, backUp });
  await traffic.stop();
  for (const deadline = Date.now() + backupMs; (await isBackingUp(sql)) && Date.now() < deadline; ) await sleep(1_000);
  const backups = await sql<{ status: string; seconds: number }[]>`
    select status, extract(epoch from finished_at - created_at)::float8 as seconds from backups order by created_at`;
  await sql.end();
  const { lost, doubled, wrongBalances, acknowledged, unacknowledged } = await traffic.compare();
  await app.stop();
  const areProofsSound = await verifyWhole(lifetime);
  const { closeDb } = await import('@/db/client');
  await closeDb();
  const counts = Object.entries(acknowledged).map(([kind, count]) => `${kind} ${count}`);
  const growth = measureGrowth(rows);
  const report = `${cpus().length} × ${cpus()[0]?.model}, which PostgreSQL, the gateway and the load generator share. Capacity beside the changes: ${capacity.toFixed(1)} pages per second; pages were requested at ${(capacity * load).toFixed(1)} per second. Acknowledged: ${counts.join(', ')} (${pace.rowsOfImport} rows each); without an answer: ${unacknowledged}; lost: ${lost.length}; doubled: ${doubled.length}. Backups: ${backups.map(({ status, seconds }) => `${status} in ${seconds.toFixed(0)} s`).join(', ')}. Books and audit log: ${areProofsSound ? 'sound' : 'not sound'}. The last ten minutes in relation to minutes 2 to 11: ${growth.map((bar) => `${bar.name} ${showMeasured(bar)}`).join(', ')}.`;
  say(
    table(
      ['minute', 'pages', 'changes', 'median, ms', 'p99, ms', 'memory, MB', 'connections', 'in between'],
      rows.map((row, index) => [
        ...[index + 1, row.pages, row.changes, row.p50.toFixed(0), row.p99.toFixed(0), row.memoryMb.toFixed(0)].map(
          String,
        ),
        ...[String(row.connections), row.hasBackup ? 'backup' : ''],
      ]),
    ),
  );
  const areBackupsComplete = backups.length > 1 && backups.every(({ status }) => status === 'complete');
  if (lost.length + doubled.length + wrongBalances.length > 0 || !areProofsSound || !areBackupsComplete) {
    say(report);
    throw new Error(`Not sound: ${JSON.stringify({ lost, doubled, wrongBalances, backups })}`);
  }
  writeReport('soak', { text: report, bars: growth, page: 'scale.md' });
}

/** Returns the medians of the last ten minutes in relation to those of minutes 2 to 11. */
function measureGrowth(rows: readonly Minute[]): Bar[] {
  const ratioOf = (key: 'memoryMb' | 'p99' | 'connections') =>
    median(rows.slice(-10).map((row) => row[key])) / median(rows.slice(1, 11).map((row) => row[key]));
  return [
    atMost('memory', ratioOf('memoryMb'), 1.25),
    atMost('p99', ratioOf('p99'), 1.5),
    atMost('connections', ratioOf('connections'), 1.5),
  ];
}

/**
 * Stops link checks: the addresses of seeded links do not exist, so that each would report a broken link to its buyer.
 */
async function stopLinkChecks(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await sql`update link_watches set next_check_at = null`;
  await sql.end();
}

/** Rolls up and seals what was seeded, which the jobs of an installation have done long before. */
async function catchUp(adminUrl: string): Promise<void> {
  const [{ rollUpLedger }, { sealAuditLogs }] = await Promise.all([
    import('@/lib/ledger/roll-up'),
    import('@/lib/audit/seal'),
  ]);
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  const countNew = async () => (await sql`select 1 from ledger.transfers_since_rollup() limit 1`).length;
  while ((await countNew()) > 0) await rollUpLedger();
  await sql.end();
  while ((await sealAuditLogs()).sealed > 0);
}

type Minute = {
  pages: number;
  changes: number;
  p50: number;
  p99: number;
  memoryMb: number;
  connections: number;
  hasBackup: boolean;
};

type Measured = {
  sql: postgres.Sql;
  pid: number;
  /** Pages per second. */
  rate: number;
  pages: ReturnType<typeof createPages>;
  traffic: Traffic;
  backUp: () => Promise<void>;
};

const isBackingUp = async (sql: postgres.Sql) =>
  (await sql`select 1 from backups where status = 'running' limit 1`).length > 0;

async function measure({ sql, pid, rate, pages, traffic, backUp }: Measured): Promise<Minute[]> {
  const rows: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    traffic.enter(`minute ${minute}`);
    const isBackupDue = backupMinutes.includes(minute) && !(await isBackingUp(sql));
    const wasBackingUp = isBackupDue || (await isBackingUp(sql));
    const [times] = await Promise.all([pages.runPaced(60_000, rate), isBackupDue ? backUp() : undefined]);
    const [{ connections } = { connections: 0 }] = await sql<{ connections: number }[]>`
      select count(*)::int as connections from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const sorted = times.sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    rows.push({
      pages: sorted.length,
      changes: traffic.acknowledged(`minute ${minute}`),
      p50: at(0.5),
      p99: at(0.99),
      memoryMb: residentMb(pid),
      connections,
      hasBackup: wasBackingUp,
    });
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  return rows;
}

/** Clients that request the pages of the mix. */
function createPages(origin: string, cookies: Record<(typeof mix)[number][0], string>) {
  let turn = 0;
  const open = async () => {
    const [person, path] = mix[turn++ % mix.length] ?? mix[0];
    const response = await fetch(`${origin}${path}`, { headers: { cookie: cookies[person] }, redirect: 'manual' });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${body.slice(0, 300)}`);
  };
  const withBrowsers = (work: (browser: number) => Promise<void>) =>
    Promise.all(Array.from({ length: browsers }, (_, browser) => work(browser)));
  return {
    /** Requests pages without a pause. @returns pages per second */
    run: async (ms: number): Promise<number> => {
      const [from, first] = [performance.now(), turn];
      await withBrowsers(async () => {
        while (performance.now() - from < ms) await open();
      });
      return ((turn - first) * 1_000) / (performance.now() - from);
    },
    /** Requests pages at a rate per second. @returns milliseconds from the planned start of each request to its response */
    runPaced: async (ms: number, rate: number): Promise<number[]> => {
      const times: number[] = [];
      const from = performance.now();
      await withBrowsers(async (browser) => {
        for (let at = (browser * 1_000) / rate; at < ms; at += (browsers * 1_000) / rate) {
          await sleep(Math.max(0, from + at - performance.now()));
          await open();
          times.push(performance.now() - from - at);
        }
      });
      return times;
    },
  };
}
