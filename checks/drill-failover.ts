import { copyFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { ensureBuild } from '@/scripts/build/ensure-build';
import { runCommand } from '@/scripts/process/lifetime';
import { installPackages } from './drills/debian';
import { startInstallation } from './drills/installation';
import { clusterPackages, createPatroniCluster, type DrillNode, type PatroniCluster } from './drills/patroni-cluster';
import type { Traffic } from './drills/traffic';
import { verifyWhole } from './drills/verify-whole';

type Drill = {
  cluster: PatroniCluster;
  traffic: Traffic;
  /** Writes to old leaders that were acknowledged, and the connections that these accepted. */
  marks: Set<string>;
  accepted: { connections: number };
};
type Scenario = { name: string; run: (drill: Drill, leader: DrillNode, standby: DrillNode) => Promise<void> };

const scenarios: Scenario[] = [
  {
    name: 'killed (SIGKILL of PostgreSQL and Patroni)',
    run: async ({ cluster, traffic }, leader) => {
      cluster.kill(leader);
      await cluster.waitForOther(leader);
      await traffic.waitForOrders(50, 90);
      cluster.start(leader);
    },
  },
  {
    name: 'frozen (SIGSTOP of both for 60 seconds)',
    run: async (drill, leader) => {
      const { cluster, traffic } = drill;
      const thawAt = Date.now() + 60_000;
      cluster.freeze(leader);
      await cluster.waitForOther(leader);
      await traffic.waitForOrders(50, 90);
      await sleep(Math.max(0, thawAt - Date.now()));
      const stop = writeTo(drill, leader);
      await sleep(1_000);
      cluster.thaw(leader);
      await sleep(10_000);
      await stop();
    },
  },
  {
    name: 'cut off from the network',
    run: async ({ cluster, traffic }, leader) => {
      cluster.unplug(leader);
      await cluster.waitForOther(leader);
      await traffic.waitForOrders(50, 90);
      cluster.plugIn(leader);
    },
  },
  {
    name: 'cut off from etcd and the standbys; the app still reaches it',
    run: async (drill, leader) => {
      const { cluster, traffic } = drill;
      const stop = writeTo(drill, leader);
      cluster.isolate(leader);
      await cluster.waitForOther(leader);
      await traffic.waitForOrders(50, 90);
      await stop();
      cluster.rejoin(leader);
    },
  },
  {
    name: 'switched over (planned)',
    run: async ({ cluster, traffic }, leader, standby) => {
      process.stdout.write(`  ${await cluster.switchOver(leader, standby)}\n`);
      await traffic.waitForOrders(50, 90);
    },
  },
  {
    name: 'disk full',
    run: async ({ cluster, traffic }, leader, standby) => {
      cluster.fillDisk(leader);
      try {
        await cluster.waitForOther(leader, 45).catch(async () => {
          process.stdout.write('  Patroni keeps the leader, so the operator switches over.\n');
          process.stdout.write(`  ${await cluster.switchOver(leader, standby)}\n`);
        });
        await traffic.waitForOrders(50, 90);
      } finally {
        cluster.freeDisk(leader);
      }
    },
  },
];

/**
 * `npm run drill:failover`: builds a Patroni cluster of three PostgreSQL servers from Debian's packages, runs two
 * instances of the app on it, ends the leader in each way of `scenarios` under load, and compares the database with
 * a journal of what was acknowledged. Needs root and the network namespaces of Linux. Exits with 1 when an acknowledged
 * operation is lost or doubled, or a proof fails. Takes about eight minutes. Names of scenarios can be given as
 * arguments, e.g. `npm run drill:failover frozen disk`.
 */
runCommand(async (lifetime) => {
  installPackages(clusterPackages);
  const chosen = process.argv.slice(2);
  await ensureBuild(lifetime, (line) => process.stdout.write(`build | ${line}\n`));
  const cluster = await lifetime.own(createPatroniCluster(), (made) => made.remove());
  Object.assign(process.env, cluster.urls);
  const { traffic, journal, printed } = await startInstallation(lifetime, cluster.folder, [{}, {}]);
  const drill: Drill = { cluster, traffic, marks: new Set(), accepted: { connections: 0 } };
  await traffic.waitForOrders(20, 60);

  const rows: { name: string; seconds: number }[] = [];
  for (const { name, run } of scenarios.filter(
    ({ name }) => chosen.length === 0 || chosen.some((word) => name.startsWith(word)),
  )) {
    const { leader, standby } = await cluster.waitUntilSynchronous();
    traffic.enter(name);
    process.stdout.write(`${new Date().toISOString()} ${name}: ${leader.name}\n`);
    const from = Date.now();
    await run(drill, leader, standby);
    await cluster.waitUntilSynchronous(180);
    await traffic.waitForOrders(50, 60);
    rows.push({ name, seconds: traffic.secondsWithoutService(from) });
    process.stdout.write(`  ${rows.at(-1)?.seconds.toFixed(1)} s without service\n`);
  }
  await traffic.stop();
  const comparison = await traffic.compare();
  const lostMarks = await findLostMarks(drill);
  const areProofsSound = await verifyWhole(lifetime);

  const cells = rows.map(({ name, seconds }) => [
    name,
    seconds.toFixed(1),
    String(traffic.acknowledged(name)),
    ...[comparison.lost, comparison.doubled].map((list) => String(list.filter(({ phase }) => phase === name).length)),
  ]);
  const { lost, doubled, wrongBalances, ...sums } = comparison;
  const { ttl, loop_wait, retry_timeout } = cluster.timings;
  const lines = [
    '| The leader is … | Seconds without service | Acknowledged | Lost | Doubled |',
    '| --- | --- | --- | --- | --- |',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${cpus().length} × ${cpus()[0]?.model}; Patroni with ttl ${ttl}, loop_wait ${loop_wait}, retry_timeout ${retry_timeout}.`,
    JSON.stringify(sums),
    `Old leaders accepted ${drill.accepted.connections} direct connections and acknowledged ${drill.marks.size} writes, ${lostMarks} of which are lost.`,
    ...[...lost, ...doubled].map((one) => `WRONG ${JSON.stringify(one)}`),
    ...wrongBalances,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  const isSound = lost.length + doubled.length + wrongBalances.length + lostMarks === 0 && areProofsSound;
  if (!isSound) {
    const kept = join(tmpdir(), `linkmarket-drill-${process.pid}`);
    copyFileSync(journal, `${kept}.journal`);
    cluster.keepLogs(kept);
    process.stdout.write(
      `The journal and the logs are kept: ${kept}.* The last lines of the app:\n${printed().slice(-4_000)}\n`,
    );
  }
  await lifetime.end(isSound ? 0 : 1);
});

/**
 * Writes to an old leader directly, without the app's search for the primary, as a client would that knows only it.
 * Each acknowledged write is a mark that must exist in the end. @returns a function that stops it
 */
function writeTo({ cluster, marks, accepted }: Drill, node: DrillNode): () => Promise<void> {
  let isOn = true;
  const write = async () => {
    for (let number = 0; isOn; number += 1) {
      const sql = postgres(cluster.adminUrl(node), {
        max: 1,
        connect_timeout: 2,
        fetch_types: false,
        onnotice: () => undefined,
      });
      const id = `${node.name} ${Date.now()} ${number} ${Math.random()}`;
      const written = sql`select 1`
        .then(() => {
          accepted.connections += 1;
          return sql`insert into drill_marks values (${id})`;
        })
        .then(
          () => marks.add(id),
          () => undefined,
        );
      await Promise.race([written, sleep(5_000)]);
      await sql.end({ timeout: 0 });
    }
  };
  const writers = Promise.all([write(), write(), write(), write()]);
  return async () => {
    isOn = false;
    await writers;
  };
}

async function findLostMarks({ cluster, marks }: Drill): Promise<number> {
  const { leader } = await cluster.waitUntilSynchronous();
  const sql = postgres(cluster.adminUrl(leader), { max: 1 });
  const found = new Set((await sql<{ id: string }[]>`select id from drill_marks`).map(({ id }) => id));
  await sql.end();
  return [...marks].filter((id) => !found.has(id)).length;
}
