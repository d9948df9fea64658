import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Lifetime } from '@/scripts/process/lifetime';
import { startPublisher } from '@/tests/bench/link-publisher';
import { seedScale } from '@/tests/bench/seed-scale';
import { startInstance } from '@/tests/setup/link-checks-instance';
import { atLeast, atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { residentMb } from './scale-measure';

const watched = 100_000;
/** Links that are due at the same time. */
const backlog = { links: 20_000, hosts: 5_000, onOneHost: 1_000, pageKb: 60 };
/** A page must not have more than 2 MB. */
const largest = { links: 100, pageKb: 1_900 };
const warmUp = 64;
/** Two statements for each of the 16 workers. */
const claimsOfIdleRun = 32;
const target = 'https://shop.example.org/spades';

/** Two orders in three have a link. */
const size = {
  users: 8_000,
  sites: 6_000,
  orders: 180_000,
  auditLines: 180_000,
  largestBuyer: 20_000,
  largestSeller: 1_000,
};

type Instance = ReturnType<typeof startInstance>;

/**
 * Measures one instance with 100,000 watched links: 20,000 that are due at the same time on 5,000 hosts, and pages of
 * almost the largest size. The publisher runs in this process. Needs Linux.
 */
export async function links(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  process.env.DATABASE_POOL_MAX = '10';
  process.stdout.write('Seeding …\n');
  await seedScale(server.adminUrl, size);
  const publisher = await lifetime.own(startPublisher(), (running) => running.close());
  const sql = postgres(server.adminUrl, { max: 1, onnotice: () => undefined });
  await lifetime.own(Promise.resolve(sql), (client) => client.end());
  await spreadWatches(sql);
  const instance = await lifetime.own(Promise.resolve(startInstance(publisher.origin)), ({ kill }) => kill());
  const check = async (first: number, last: number, pageKb: number) => {
    const pages = await sql<{ url: string }[]>`
      select page_url as url from link_watches join bench_links using (order_id) where n between ${first} and ${last}`;
    await publisher.publish(
      pages.map(({ url }) => url),
      createPage(pageKb),
    );
    const [start] = await sql<{ at: string }[]>`
      with due as (
        update link_watches set next_check_at = now() from bench_links
        where bench_links.order_id = link_watches.order_id and n between ${first} and ${last} returning 1)
      select now()::text as at from due limit 1`;
    const usage = watchUsage(instance.pid, publisher.port);
    const counts = await runUntilDone(instance);
    return { ...counts, ...usage.stop(), late: await readLateness(sql, start?.at ?? '') };
  };

  // Loads the code, and fills the caches of the database.
  await check(watched - warmUp + 1, watched, backlog.pageKb);
  const claimBefore = await measureClaim(sql, instance);
  const drained = await check(1, backlog.links, backlog.pageKb);
  const claimAfter = await measureClaim(sql, instance);
  const [budget] = await sql<{ most: number }[]>`select max(count) as most from link_hosts`;
  const [{ connections } = { connections: 0 }] = await sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  const large = await check(backlog.links + 1, backlog.links + largest.links, largest.pageKb);

  const rate = drained.checked / drained.seconds;
  const weekly = watched / (7 * 86_400);
  const daily = watched / 86_400;
  const perSecond = (value: number) => value.toFixed(value < 10 ? 2 : 0);
  const growth = ({ firstMb, peakMb }: typeof drained) =>
    `${firstMb.toFixed(0)} MB, +${(peakMb - firstMb).toFixed(0)} MB`;
  const claim = ({ ms, blocks }: typeof claimBefore) => `${ms.toFixed(1)} ms, ${blocks.toFixed(0)} blocks`;
  const { links: due, hosts, onOneHost, pageKb } = backlog;
  const bars = {
    weekly: atLeast('checks a second ÷ needed once a week', rate / weekly, 1),
    daily: atLeast('checks a second ÷ needed once a day', rate / daily, 1),
    host: atMost('checks of one host in an hour', budget?.most ?? 0, 30),
    failed: atMost('failed runs', drained.failed + large.failed, 0),
    sockets: atMost('connections to websites at the same time', Math.max(drained.sockets, large.sockets), 16),
    connections: atMost('connections to the database', connections, 10),
  };
  const rows = [
    [`checks a second, pages of ${pageKb} kB`, perSecond(rate), ''],
    ['needed, each link once a week', perSecond(weekly), ''],
    ['possible ÷ needed', ...barCells(bars.weekly)],
    ['possible ÷ needed if each link was checked every day', ...barCells(bars.daily)],
    [
      `${format(due)} links due at once: time until all are checked or postponed`,
      `${drained.seconds.toFixed(0)} s`,
      '',
    ],
    ['their lateness: median, p99, longest', drained.late.map((seconds) => `${seconds.toFixed(0)} s`).join(', '), ''],
    ['checks above the budget of a host, postponed', format(drained.postponed), format(onOneHost - 30)],
    ...[bars.host, bars.failed, bars.sockets, bars.connections].map((bar) => [bar.name, ...barCells(bar)]),
    ['memory before, and its growth', growth(drained), ''],
    [`the same with pages of ${format(largest.pageKb)} kB`, growth(large), ''],
    [`checks a second, pages of ${format(largest.pageKb)} kB`, perSecond(large.checked / large.seconds), ''],
    ['claim of the next link, none due', claim(claimBefore), ''],
    ['the same after the backlog', claim(claimAfter), ''],
  ];
  writeReport('links', {
    text: `\`npm run bench links\`: one instance with ${format(watched)} watched links, of which ${format(due)} on ${format(hosts)} hosts become due at the same time, ${format(onOneHost)} of them on one host. The sandbox's publisher, the database and the instance share a machine with two cores, and the instance runs from the sources, which is slower than the build. Each check is a request of its page, and for the first one of a host also of its robots.txt; its result, its passport and what becomes payable are stored.\n\n${table(['', 'measured', 'bar'], rows)}`,
    bars: Object.values(bars),
    page: 'links.md',
  });
}

/** Makes every link of the seed a link in order that is next checked in the days to come, and numbers them. */
async function spreadWatches(sql: postgres.Sql): Promise<void> {
  await sql`
    create table bench_links as
    select order_id, row_number() over (order by hashint4(order_id), order_id)::int as n from link_watches`;
  await sql`delete from link_watches using bench_links b where b.order_id = link_watches.order_id and n > ${watched}`;
  await sql`create index on bench_links (n)`;
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int as count from link_watches`;
  if (count !== watched) throw new Error(`The seed has only ${count} links.`);
  await sql`
    update placements set state = 'approved', ended_at = null, next_action_at = null, approved_at = now() - interval '30 days',
      guarantee_starts_at = now() - interval '30 days'
    from link_watches w where w.order_id = placements.order_id and state in ('approved', 'closed')`;
  await sql`
    update link_watches set ended_at = null, end_reason = null, verdict = 'ok', not_ok_since = null, broken_since = null,
      broken_confirmed_at = null, repair_due_at = null, unknown_since = null, anchor = '', target_url = ${target},
      started_at = now() - interval '30 days', next_check_at = now() + interval '1 day' + n * interval '5 seconds',
      host = name, site_url = 'https://' || name, page_url = 'https://' || name || '/post-' || n
    from (
      select *, 'site-' || case when n <= ${backlog.onOneHost} then 0 else 1 + n % ${backlog.hosts - 1} end || '.example.com' as name
      from bench_links
    ) as b where b.order_id = link_watches.order_id`;
  await sql`vacuum analyze`;
}

/** Returns an article with the link in its middle. */
function createPage(kilobytes: number): string {
  const paragraph =
    '<div class="entry"><h2>Spring in the garden</h2><p>Our editors compared what readers asked about <a href="/topics/soil">soil</a> and <em>spades</em> in the last months, and summarize the answers here.</p></div>\n';
  const text = paragraph.repeat((kilobytes * 500) / paragraph.length);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Spades</title></head><body><main>${text}<p>See <a href="${target}">the shop</a>.</p>${text}</main></body></html>`;
}

async function runUntilDone(instance: Instance) {
  const total = { checked: 0, postponed: 0, failed: 0, seconds: 0 };
  for (;;) {
    const begin = performance.now();
    const { checked, postponed, failed } = await instance.run();
    if (checked + postponed + failed === 0) return total;
    total.checked += checked;
    total.postponed += postponed;
    total.failed += failed;
    total.seconds += (performance.now() - begin) / 1_000;
    process.stdout.write(`${JSON.stringify(total)}\n`);
  }
}

/** @returns seconds from the time at which the links were due to their check: median, p99 and longest */
async function readLateness(sql: postgres.Sql, dueAt: string): Promise<number[]> {
  const [row] = await sql<{ late: number[] }[]>`
    select percentile_disc(array[0.5, 0.99, 1]) within group (order by extract(epoch from checked_at - ${dueAt}::timestamptz)::float8) as late
    from link_watches where checked_at > ${dueAt}::timestamptz`;
  return row?.late ?? [];
}

/** Measures a run while no link is due. @returns the time and the blocks of `link_watches` of one claim */
async function measureClaim(sql: postgres.Sql, instance: Instance): Promise<{ ms: number; blocks: number }> {
  const before = await countBlocks(sql);
  const begin = performance.now();
  await instance.run();
  const ms = performance.now() - begin;
  return { ms: ms / claimsOfIdleRun, blocks: ((await countBlocks(sql)) - before) / claimsOfIdleRun };
}

async function countBlocks(sql: postgres.Sql): Promise<number> {
  // An idle connection writes its statistics after ten seconds.
  await sleep(12_000);
  const [row] = await sql<{ blocks: number }[]>`
    select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as blocks
    from pg_statio_user_tables where relname = 'link_watches'`;
  return row?.blocks ?? 0;
}

/** Samples the memory of a process, and the open connections to a port. */
function watchUsage(pid: number, port: number): { stop: () => { firstMb: number; peakMb: number; sockets: number } } {
  const usage = { firstMb: residentMb(pid), peakMb: 0, sockets: 0 };
  const sample = () => {
    usage.peakMb = Math.max(usage.peakMb, residentMb(pid));
    usage.sockets = Math.max(usage.sockets, countConnections(port));
  };
  const timer = setInterval(sample, 100);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return usage;
    },
  };
}

/** Counts the established connections of this machine to a port. */
function countConnections(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.filter((row) => {
    const [, , to = '', state] = row.trim().split(/\s+/);
    return to.endsWith(remote) && state === '01';
  }).length;
}

const format = (value: number) => value.toLocaleString('en-US');
