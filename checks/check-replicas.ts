import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { ensureBuild } from '@/scripts/build/ensure-build';
import { runCommand } from '@/scripts/process/lifetime';
import { installPackages } from './drills/debian';
import { startInstallation } from './drills/installation';
import { startJourneys } from './drills/journeys';
import { clusterPackages, createPatroniCluster, type DrillNode, type PatroniCluster } from './drills/patroni-cluster';
import { startPoolers } from './drills/poolers';
import type { Traffic } from './drills/traffic';
import { verifyWhole } from './drills/verify-whole';

type Check = { cluster: PatroniCluster; traffic: Traffic; wait: (seconds: number) => Promise<unknown> };
type Servers = { leader: DrillNode; standby: DrillNode; replica: DrillNode };
type Scenario = { name: string; run: (check: Check, servers: Servers) => Promise<void> };

const scenarios: Scenario[] = [
  { name: 'all servers run', run: ({ wait }) => wait(15).then(() => undefined) },
  {
    name: 'a replica lags by 10 seconds',
    run: async ({ cluster, wait }, { replica }) => {
      await setting(cluster, replica, `set recovery_min_apply_delay = '10s'`);
      await wait(20);
      await setting(cluster, replica, 'reset recovery_min_apply_delay');
    },
  },
  {
    name: 'a replica is killed',
    run: async ({ cluster, traffic, wait }, { replica }) => {
      cluster.kill(replica);
      await wait(15);
      await traffic.waitForOrders(50, 60);
      cluster.start(replica);
    },
  },
  {
    name: 'a replica is frozen for 15 seconds',
    run: async ({ cluster, wait }, { replica }) => {
      cluster.freeze(replica);
      await wait(15);
      cluster.thaw(replica);
    },
  },
  {
    name: 'the primary is killed',
    run: async ({ cluster, traffic, wait }, { leader }) => {
      cluster.kill(leader);
      await cluster.waitForOther(leader);
      await traffic.waitForOrders(50, 120);
      await wait(10);
      cluster.start(leader);
    },
  },
];

/**
 * `npm run check:replicas`: builds a Patroni cluster of three PostgreSQL servers with PgBouncer in transaction mode and
 * HAProxy before them, all from Debian's packages, and runs two instances of the app on it: one reads from each server of
 * a list, the other from the replicas behind HAProxy. While servers fail as in `scenarios`, a journal of orders, payments,
 * refunds and imports is kept, and other clients read after each change what it changed. Needs root and the network
 * namespaces of Linux. Exits with 1 when an acknowledged operation is lost or doubled, a read is stale, a proof
 * fails, or no replica was read. Takes about five minutes. Names of scenarios can be given as arguments.
 */
runCommand(async (lifetime) => {
  installPackages({ ...clusterPackages, pgbouncer: '/usr/sbin/pgbouncer', haproxy: '/usr/sbin/haproxy' });
  const chosen = process.argv.slice(2);
  await ensureBuild(lifetime, (line) => process.stdout.write(`build | ${line}\n`));
  const cluster = await lifetime.own(createPatroniCluster(), (made) => made.remove());
  const { leader: first } = await cluster.waitUntilSynchronous();
  // PgBouncer refuses it as a parameter of the connection.
  await execute(cluster, first, `alter role linkmarket set statement_timeout = '30s'`);
  const addresses = await startPoolers(lifetime, cluster);
  Object.assign(process.env, cluster.urls, { DATABASE_URL: addresses.primary, DATABASE_PREPARE: 'off' });
  const { appUrl, origins, traffic, printed } = await startInstallation(lifetime, cluster.folder, [
    { DATABASE_READ_URL: addresses.each },
    { DATABASE_READ_URL: addresses.replicas },
  ]);
  let isSound = false;
  // Before the cluster is removed, also when the check ends with an error.
  await lifetime.own(Promise.resolve(printed), (lines) => {
    if (isSound) return;
    const kept = join(tmpdir(), `linkmarket-replicas-${process.pid}`);
    cluster.keepLogs(kept);
    process.stdout.write(`The logs are kept: ${kept}.* The last lines of the app:\n${lines().slice(-6_000)}\n`);
  });
  await traffic.waitForOrders(20, 60);
  const journeys = await startJourneys(appUrl, origins);
  const check: Check = { cluster, traffic, wait: journeys.wait };

  const rows: { name: string; seconds: number; byReplicas: number }[] = [];
  for (const { name, run } of scenarios.filter(
    ({ name }) => chosen.length === 0 || chosen.some((word) => name.includes(word)),
  )) {
    const { leader, standby } = await cluster.waitUntilSynchronous();
    const [replica] = cluster.nodes.filter((node) => node !== leader && node !== standby);
    if (!replica) throw new Error('The cluster has no third server.');
    traffic.enter(name);
    journeys.enter(name);
    process.stdout.write(`${new Date().toISOString()} ${name}\n`);
    const [from, before] = [Date.now(), await readCounts(cluster)];
    await run(check, { leader, standby, replica });
    await cluster.waitUntilSynchronous(180);
    await traffic.waitForOrders(20, 60);
    const byReplicas = countBetween(before, await readCounts(cluster));
    rows.push({ name, seconds: traffic.secondsWithoutService(from), byReplicas });
  }
  await Promise.all([traffic.stop(), journeys.stop()]);
  const { lost, doubled, wrongBalances, ...sums } = await traffic.compare();
  const areProofsSound = await verifyWhole(lifetime);

  const { phases } = journeys;
  const stale = phases.flatMap((phase) => phase.stale.map((what) => `STALE (${phase.name}) ${what}`));
  const cells = rows.map(({ name, seconds, byReplicas }) => {
    const phase = phases.find((one) => one.name === name);
    const wrong = (list: { phase: string }[]) => list.filter((one) => one.phase === name).length;
    return [
      ...[name, traffic.acknowledged(name), wrong(lost), wrong(doubled), seconds.toFixed(1)],
      ...[phase?.reads, phase?.stale.length, phase?.waits, byReplicas],
    ];
  });
  const lines = [
    '|  | Changes acknowledged | Lost | Doubled | Seconds without service | Reads after a change | Stale | Repeated | Transactions of replicas |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${cpus().length} × ${cpus()[0]?.model}.`,
    JSON.stringify(sums),
    ...[...lost, ...doubled].map((one) => `WRONG ${JSON.stringify(one)}`),
    ...[...wrongBalances, ...stale],
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  const areReplicasRead = rows.every(({ byReplicas }) => byReplicas > 0);
  isSound = [...lost, ...doubled, ...wrongBalances, ...stale].length === 0 && areProofsSound && areReplicasRead;
  await lifetime.end(isSound ? 0 : 1);
});

/** The transactions in the database of the app on each standby that can be reached. Only the app reads it there. */
async function readCounts(cluster: PatroniCluster): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const node of cluster.nodes) {
    const sql = postgres(cluster.adminUrl(node), { max: 1, connect_timeout: 2 });
    const found = sql<{ count: string }[]>`
      select xact_commit as count from pg_stat_database where datname = 'linkmarket' and pg_is_in_recovery()`;
    for (const { count } of await found.catch(() => [])) counts.set(node.name, Number(count));
    await sql.end({ timeout: 0 });
  }
  return counts;
}

/** Adds up what was counted between two times. A server that crashed counts from zero again. */
const countBetween = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
  [...after].reduce((sum, [name, count]) => {
    const earlier = before.get(name) ?? 0;
    return sum + (count < earlier ? count : count - earlier);
  }, 0);

/** Changes a setting of a server that Patroni does not manage. */
async function setting(cluster: PatroniCluster, node: DrillNode, change: string): Promise<void> {
  await execute(cluster, node, `alter system ${change}`);
  await execute(cluster, node, 'select pg_reload_conf()');
}

async function execute(cluster: PatroniCluster, node: DrillNode, statement: string): Promise<void> {
  const sql = postgres(cluster.adminUrl(node), { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement);
  await sql.end();
}
