import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Lifetime } from '@/scripts/process/lifetime';
import { startPublisher } from '@/tests/bench/link-publisher';
import { seedScale } from '@/tests/bench/seed-scale';
import { startInstance } from '@/tests/setup/link-checks-instance';
import { atLeast, atMost, type Bar } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { residentMb } from './scale-measure';

const watched = 1_000_000;
/** The links that are checked here have orders. The others are never due in this time, and nothing else reads them. */
const withOrders = 20_000;
/** Links that are due at the same time. */
const backlog = { links: 8_000, hosts: 5_000, onOneHost: 1_000, pageKb: 60 };
/** The seconds of a schedule in which all links are checked once a day. */
const scheduleSeconds = 90;
const scheduled = Math.round((watched / 86_400) * scheduleSeconds);
/** As in lib/jobs/jobs.ts. */
const jobSeconds = 5;
/** A page must not have more than 2 MB. */
const largest = { links: 60, pageKb: 1_900 };
const warmUp = 64;
/** Two statements for each of the 16 workers. */
const claimsOfIdleRun = 32;
/** The schedule of a guarantee of 90 days (lib/links/watches.ts). */
const checksOfGuarantee = { checks: 16, days: 90 };
const target = 'https://shop.example.org/spades';

/** Two orders in three have a link. */
const size = {
  users: 4_000,
  sites: 6_000,
  orders: 36_000,
  auditLines: 36_000,
  largestBuyer: 4_000,
  largestSeller: 1_000,
};

type Instance = ReturnType<typeof startInstance>;

/**
 * Measures one instance with 1,000,000 watched links: 8,000 that are due at the same time on 5,000 hosts, the schedule of
 * all links once a day, and pages of almost the largest size. The publisher runs in this process. Needs Linux.
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
  const publish = async (first: number, last: number, pageKb: number) => {
    const pages = await sql<{ url: string }[]>`
      select page_url as url from link_watches join bench_links using (order_id) where n between ${first} and ${last}`;
    await publisher.publish(
      pages.map(({ url }) => url),
      createPage(pageKb),
    );
  };
  const check = async (first: number, last: number, pageKb: number) => {
    await publish(first, last, pageKb);
    const [start] = await sql<{ at: string }[]>`
      with due as (
        update link_watches set next_check_at = now() from bench_links
        where bench_links.order_id = link_watches.order_id and n between ${first} and ${last} returning 1)
      select now()::text as at from due limit 1`;
    const usage = watchUsage(instance.pid, publisher.port);
    const counts = await runUntilDone(instance);
    return { ...counts, ...usage.stop(), late: await readLateness(sql, start?.at ?? '') };
  };
  const [firstScheduled, lastScheduled] = [backlog.links + 1, backlog.links + scheduled];

  // Loads the code, and fills the caches of the database.
  await check(withOrders - warmUp + 1, withOrders, backlog.pageKb);
  const claimBefore = await measureClaim(sql, instance);
  const drained = await check(1, backlog.links, backlog.pageKb);
  const claimAfter = await measureClaim(sql, instance);
  const [booked] = await sql<{ most: number }[]>`
    select max(links)::int as most from (
      select count(*) as links from link_watches join bench_links using (order_id)
      where n <= ${backlog.onOneHost} and next_check_at < now() + interval '40 hours'
      group by date_trunc('hour', next_check_at)
    ) as hours`;
  const [{ connections } = { connections: 0 }] = await sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  await publish(firstScheduled, lastScheduled, backlog.pageKb);
  const onSchedule = await runSchedule(sql, instance, firstScheduled, lastScheduled);
  const mostRequests = publisher.countMostRequests();
  const large = await check(lastScheduled + 1, lastScheduled + largest.links, largest.pageKb);

  const rate = drained.checked / drained.seconds;
  const guarantee = (watched * checksOfGuarantee.checks) / (checksOfGuarantee.days * 86_400);
  const daily = watched / 86_400;
  const perSecond = (value: number) => value.toFixed(value < 10 ? 2 : 0);
  const claim = ({ ms, blocks }: typeof claimBefore) => `${ms.toFixed(1)} ms, ${blocks.toFixed(0)} blocks`;
  const { links: due, hosts, onOneHost, pageKb } = backlog;
  const bars = {
    guarantee: atLeast('checks a second ÷ needed', rate / guarantee, 1),
    daily: atLeast('checks a second ÷ needed if every link was checked once a day', rate / daily, 1),
    late: atMost('that schedule: lateness, p99', onSchedule.late[1] ?? Number.POSITIVE_INFINITY, 2 * jobSeconds, 's'),
    missed: atMost('that schedule: links not checked', onSchedule.missed, 0),
    host: atMost('pages of one host requested in an hour', mostRequests, 30),
    booked: atMost('links of that host that wait for the same hour', booked?.most ?? 0, 30),
    memory: atMost('growth of the memory', drained.peakMb - drained.firstMb, 250, 'MB'),
    largeMemory: atMost(`the same with pages of ${largest.pageKb} kB`, large.peakMb - large.firstMb, 500, 'MB'),
    failed: atMost('failed runs', drained.failed + onSchedule.failed + large.failed, 0),
    sockets: atMost('connections to websites at the same time', Math.max(drained.sockets, large.sockets), 16),
    connections: atMost('connections to the database', connections, 10),
  };
  const barRow = (bar: Bar) => [bar.name, ...barCells(bar)];
  const seconds = (late: readonly number[]) => late.map((value) => `${value.toFixed(1)} s`).join(', ');
  const rows = [
    [`checks a second, pages of ${pageKb} kB`, perSecond(rate), ''],
    [`needed, ${checksOfGuarantee.checks} checks in ${checksOfGuarantee.days} days`, perSecond(guarantee), ''],
    ...[bars.guarantee, bars.daily].map(barRow),
    [`${format(due)} links due at once: time until all are checked or postponed`, seconds([drained.seconds]), ''],
    ['their lateness: median, p99, longest', seconds(drained.late), ''],
    ['checks above the limit of a host, postponed', format(drained.postponed), format(onOneHost - 30)],
    [
      `${format(scheduled)} links on a schedule of one day, for ${scheduleSeconds} s: lateness`,
      seconds(onSchedule.late),
      '',
    ],
    ...[bars.late, bars.missed, bars.host, bars.booked, bars.failed, bars.sockets, bars.connections].map(barRow),
    ['memory before', `${drained.firstMb.toFixed(0)} MB`, ''],
    ...[bars.memory, bars.largeMemory].map(barRow),
    [`checks a second, pages of ${format(largest.pageKb)} kB`, perSecond(large.checked / large.seconds), ''],
    ['claim of the next link, none due', claim(claimBefore), ''],
    ['the same after the backlog', claim(claimAfter), ''],
  ];
  writeReport('links', {
    text: `\`npm run bench links\`: one instance with ${format(watched)} watched links, of which ${format(due)} on ${format(hosts)} hosts become due at the same time, ${format(onOneHost)} of them on one host, and ${format(scheduled)} others one after another, as if all links were checked every day. The sandbox's publisher, the database and the instance share a machine with two cores, and the instance runs from the sources, which is slower than the build. Each check is a request of its page, and for the first one of a host also of its robots.txt; its result, its passport and what becomes payable are stored.\n\n${table(['', 'measured', 'bar'], rows)}`,
    bars: Object.values(bars),
    page: 'links.md',
  });
}

/**
 * Makes links of the seed links in order that are next checked in the days to come, and numbers them. Adds links without
 * orders.
 */
async function spreadWatches(sql: postgres.Sql): Promise<void> {
  await sql`
    create table bench_links as
    select order_id, row_number() over (order by hashint4(order_id), order_id)::int as n from link_watches`;
  await sql`delete from link_watches using bench_links b where b.order_id = link_watches.order_id and n > ${withOrders}`;
  await sql`create index on bench_links (n)`;
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int as count from link_watches`;
  if (count !== withOrders) throw new Error(`The seed has only ${count} links.`);
  await sql`
    update placements set state = 'approved', ended_at = null, next_action_at = null, approved_at = now() - interval '30 days',
      guarantee_starts_at = now() - interval '30 days'
    from link_watches w where w.order_id = placements.order_id and state in ('approved', 'closed')`;
  await sql`
    update link_watches set ended_at = null, end_reason = null, verdict = 'ok', not_ok_since = null, broken_since = null,
      broken_confirmed_at = null, repair_due_at = null, unknown_since = null, anchor = '', target_url = ${target},
      next_cause = 'schedule', started_at = now() - interval '30 days', next_check_at = now() + interval '1 day',
      host = name, site_url = 'https://' || name, page_url = 'https://' || name || '/post-' || n
    from (
      select *, 'site-' || case when n <= ${backlog.onOneHost} then 0 else 1 + n % ${backlog.hosts - 1} end || '.example.com' as name
      from bench_links
    ) as b where b.order_id = link_watches.order_id`;
  await sql.begin(async (tx) => {
    // Without the foreign keys.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into link_watches (order_id, buyer_id, project_id, seller_id, site_url, page_url, host, target_url, verdict,
        checked_at, started_at, next_check_at)
      select 1000000000 + copy, buyer_id, project_id, seller_id, site_url, page_url || '-' || copy, host, target_url, 'ok',
        now(), started_at, now() + interval '1 day' + copy * interval '6 days' / ${watched}::int
      from generate_series(1, ${watched - withOrders}::int) as copy
      join bench_links on n = 1 + copy % ${withOrders} join link_watches using (order_id)`;
  });
  await sql`vacuum analyze`;
}

/**
 * Lets links become due one after another, and runs the job at its interval.
 * @returns their lateness (median, p99 and longest, in seconds), those that were not checked, and failed runs
 */
async function runSchedule(sql: postgres.Sql, instance: Instance, first: number, last: number) {
  await sql`alter table bench_links add column due_at timestamptz`;
  await sql`
    update bench_links set due_at = now() + (n - ${first}) * ${scheduleSeconds}::int * interval '1 second' / ${last - first + 1}::int
    where n between ${first} and ${last}`;
  await sql`
    update link_watches w set next_check_at = due_at from bench_links b where b.order_id = w.order_id and due_at is not null`;
  let failed = 0;
  const end = performance.now() + (scheduleSeconds + 2 * jobSeconds) * 1_000;
  while (performance.now() < end) {
    const begin = performance.now();
    failed += (await instance.run()).failed;
    await sleep(Math.max(0, begin + jobSeconds * 1_000 - performance.now()));
  }
  const [row] = await sql<{ late: number[] | null; missed: number }[]>`
    select count(*) filter (where checked_at < due_at)::int as missed,
      percentile_disc(array[0.5, 0.99, 1]) within group (order by extract(epoch from checked_at - due_at)::float8)
        filter (where checked_at >= due_at) as late
    from bench_links join link_watches using (order_id) where due_at is not null`;
  return { late: row?.late ?? [], missed: row?.missed ?? 0, failed };
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
