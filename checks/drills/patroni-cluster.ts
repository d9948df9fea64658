import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { z } from 'zod';
import { findServerAccount, getPersistentTempDir } from '@/scripts/postgres/account';
import { findPostgresPrograms } from './debian';

/** A program of each Debian package of the cluster. */
export const clusterPackages = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  postgresql: '/usr/lib/postgresql',
  iptables: '/usr/sbin/iptables',
};

/** Each node is a network namespace with its own address on a bridge, so that its network can be cut. */
const prefix = 'lmdrill';
const folderPrefix = 'linkmarket-drill-';
const subnet = '10.213.77';
const etcdAddress = `${subnet}.2`;
const nodeDiskMb = 1_024;

/** Patroni's smallest leases, which shorten the drill. Its defaults are 30, 10 and 10 seconds. */
const timings = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

export type DrillNode = { name: string; namespace: string; link: string; address: string; data: string };

const clusterAnswer = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});

export type PatroniCluster = Awaited<ReturnType<typeof createPatroniCluster>>;

/**
 * Builds a cluster of three PostgreSQL servers under Patroni with strict synchronous replication, and one etcd. Needs
 * root. An earlier run that was killed is removed first. `remove` ends and deletes everything.
 */
export async function createPatroniCluster() {
  removeLeftovers();
  const account = findServerAccount();
  if (!account) throw new Error('The drill needs root.');
  const folder = mkdtempSync(join(getPersistentTempDir(), folderPrefix));
  chmodSync(folder, 0o711);
  const secrets = { superuser: randomBytes(16).toString('hex'), app: randomBytes(16).toString('hex') };
  const nodes = [1, 2, 3].map((number): DrillNode => {
    const name = `node${number}`;
    const [namespace, link] = [`${prefix}${number}`, `${prefix}v${number}`];
    return { name, namespace, link, address: `${subnet}.${10 + number}`, data: join(folder, name, 'disk') };
  });

  run('ip', 'link', 'add', `${prefix}0`, 'type', 'bridge');
  run('ip', 'addr', 'add', `${subnet}.1/24`, 'dev', `${prefix}0`);
  run('ip', 'link', 'set', `${prefix}0`, 'up');
  for (const [index, address] of [etcdAddress, ...nodes.map((node) => node.address)].entries())
    createNamespace(index, address);
  for (const { data } of nodes) {
    mkdirSync(data, { recursive: true });
    run('mount', '-t', 'tmpfs', '-o', `size=${nodeDiskMb}m`, 'tmpfs', data);
    for (const path of [join(data, '..'), data]) chownSync(path, account.uid, account.gid);
  }

  const etcdLog = openSync(join(folder, 'etcd.log'), 'a');
  const etcdUrl = `http://${etcdAddress}:2379`;
  const urls = ['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl];
  const peer = ['--listen-peer-urls', `http://${etcdAddress}:2380`];
  const etcd = ['etcd', '--enable-v2', '--data-dir', join(folder, 'etcd'), ...urls, ...peer];
  spawn('ip', ['netns', 'exec', `${prefix}0`, ...etcd], { stdio: ['ignore', etcdLog, etcdLog] });

  const start = (node: DrillNode) => {
    const config = join(node.data, '..', 'patroni.json');
    writeFileSync(config, JSON.stringify(configOf(node, secrets.superuser), null, 2), { mode: 0o600 });
    chownSync(config, account.uid, account.gid);
    const log = openSync(join(folder, `${node.name}.log`), 'a');
    const asPostgres = [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--init-groups',
      'patroni',
      config,
    ];
    spawn('ip', ['netns', 'exec', node.namespace, ...asPostgres], {
      stdio: ['ignore', log, log],
      cwd: '/',
      env: { ...process.env, HOME: join(node.data, '..'), LC_ALL: 'C.UTF-8' },
    });
  };
  const signal = (node: DrillNode, name: NodeJS.Signals) => {
    for (const pid of pidsIn(node.namespace)) kill(pid, name);
  };
  const filler = (node: DrillNode) => join(node.data, 'filler');

  /** The members as one of the nodes reports them; null when none answers. */
  const members = async () => {
    const answers = nodes.map(async ({ address }) => {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1_000) });
      return clusterAnswer.parse(await answer.json()).members;
    });
    return Promise.any(answers).catch(() => null);
  };
  const findNode = (name: string | undefined) => nodes.find((node) => node.name === name);
  const waitUntilSynchronous = async (seconds = 120) => {
    for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await sleep(500)) {
      const found = (await members()) ?? [];
      const roles = found.map(({ role }) => role);
      const isRunning = found.every(({ state }) => state === 'running' || state === 'streaming');
      const leader = findNode(found.find(({ role }) => role === 'leader')?.name);
      const standby = findNode(found.find(({ role }) => role === 'sync_standby')?.name);
      if (found.length === nodes.length && isRunning && roles.includes('sync_standby') && leader && standby)
        return { leader, standby };
    }
    throw new Error(`The cluster did not become synchronous: ${JSON.stringify(await members())}`);
  };

  const urlFor = (user: string, password: string, hosts: string[], database: string) =>
    `postgres://${user}:${password}@${hosts.map((host) => `${host}:5432`).join(',')}/${database}`;
  const addresses = nodes.map(({ address }) => address);
  const target = '?target_session_attrs=read-write';

  try {
    for (const node of nodes) start(node);
    const { leader } = await waitUntilSynchronous();
    const sql = postgres(urlFor('postgres', secrets.superuser, [leader.address], 'postgres'), { max: 1 });
    await sql`create role linkmarket_app nologin`;
    await sql.unsafe(`create role linkmarket login password '${secrets.app}' in role linkmarket_app`);
    await sql`create database linkmarket`;
    await sql`create table drill_marks (id text primary key)`;
    await sql.end();
  } catch (thrown) {
    const tail = nodes.map(({ name }) => readFileSync(join(folder, `${name}.log`), 'utf8').slice(-1_500)).join('\n');
    removeLeftovers();
    throw new Error(`The cluster did not start: ${String(thrown)}\n${tail}`);
  }

  const findLeader = async () => findNode((await members())?.find(({ role }) => role === 'leader')?.name);

  return {
    folder,
    timings,
    nodes,
    remove: removeLeftovers,
    waitUntilSynchronous,
    waitForOther: async (old: DrillNode, seconds = 90) => {
      for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await sleep(200)) {
        const leader = await findLeader();
        if (leader && leader.name !== old.name) return;
      }
      throw new Error(`No other server became the leader within ${seconds} seconds.`);
    },
    /** The address of the database for the app's role, and for the owner of the tables. */
    urls: {
      DATABASE_URL: urlFor('linkmarket', secrets.app, addresses, 'linkmarket') + target,
      MIGRATION_DATABASE_URL: urlFor('postgres', secrets.superuser, addresses, 'linkmarket') + target,
    },
    /** The password of the app's role. */
    appPassword: secrets.app,
    /** The maintenance database of a node. */
    adminUrl: (node: DrillNode) => urlFor('postgres', secrets.superuser, [node.address], 'postgres'),
    kill: (node: DrillNode) => signal(node, 'SIGKILL'),
    start,
    freeze: (node: DrillNode) => signal(node, 'SIGSTOP'),
    thaw: (node: DrillNode) => signal(node, 'SIGCONT'),
    /** Takes the node off the network. */
    unplug: ({ link }: DrillNode) => run('ip', 'link', 'set', link, 'down'),
    plugIn: ({ link }: DrillNode) => run('ip', 'link', 'set', link, 'up'),
    /** Takes etcd and the other nodes away from a node, which the app still reaches. */
    isolate: (node: DrillNode) => {
      for (const other of [etcdAddress, ...addresses.filter((address) => address !== node.address)]) {
        inNode(node, 'iptables', '-w', '-A', 'INPUT', '-s', other, '-j', 'DROP');
        inNode(node, 'iptables', '-w', '-A', 'OUTPUT', '-d', other, '-j', 'DROP');
      }
    },
    rejoin: (node: DrillNode) => inNode(node, 'iptables', '-w', '-F'),
    /** Writes until the disk of the node has no space left. */
    fillDisk: (node: DrillNode) => {
      const file = openSync(filler(node), 'w');
      const block = Buffer.alloc(1_048_576);
      try {
        for (;;) writeSync(file, block);
      } catch (thrown) {
        if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOSPC')) throw thrown;
      } finally {
        closeSync(file);
      }
    },
    freeDisk: (node: DrillNode) => rmSync(filler(node), { force: true }),
    switchOver: async (leader: DrillNode, candidate: DrillNode) => {
      const answer = await fetch(`http://${candidate.address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
      });
      return `${answer.status} ${await answer.text()}`;
    },
    /** Keeps the logs of PostgreSQL and Patroni, which `remove` deletes. */
    keepLogs: (target: string) => {
      for (const { name } of nodes) copyFileSync(join(folder, `${name}.log`), `${target}.${name}.log`);
    },
  };
}

function configOf({ name, address, data }: DrillNode, password: string) {
  const user = { username: 'postgres', password };
  return {
    scope: 'linkmarket',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // Not etcd3: with it, Patroni 3.0.2 of Debian 12 lets an old leader that was frozen overwrite the key of the new leader
    // (patroni PR 2689), and confirmed changes are lost.
    etcd: { host: `${etcdAddress}:2379` },
    bootstrap: {
      dcs: {
        ...timings,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        primary_start_timeout: 15,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            shared_buffers: '64MB',
            wal_log_hints: 'on',
            min_wal_size: '48MB',
            max_wal_size: '192MB',
            wal_keep_size: '128MB',
            password_encryption: 'scram-sha-256',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(data, 'postgres'),
      bin_dir: findPostgresPrograms(),
      pgpass: join(data, '..', 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      pg_hba: ['local all all trust', 'host all all all scram-sha-256', 'host replication all all scram-sha-256'],
      parameters: { unix_socket_directories: join(data, '..') },
    },
  };
}

/** Creates a network namespace with an address on the bridge. */
function createNamespace(index: number, address: string): void {
  const [namespace, link] = [`${prefix}${index}`, `${prefix}v${index}`];
  run('ip', 'netns', 'add', namespace);
  run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  run('ip', 'link', 'set', link, 'master', `${prefix}0`, 'up');
  run('ip', '-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up');
  run('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
}

function pidsIn(namespace: string): number[] {
  const listed = attempt('ip', 'netns', 'pids', namespace);
  return listed
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // It ended meanwhile.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')) throw thrown;
  }
}

/** Ends all processes, unmounts the disks and removes the network, of this run or of an earlier one that was killed. */
function removeLeftovers(): void {
  for (const index of [0, 1, 2, 3]) {
    const namespace = `${prefix}${index}`;
    for (const pid of pidsIn(namespace)) kill(pid, 'SIGKILL');
    attempt('ip', 'netns', 'del', namespace);
    attempt('ip', 'link', 'del', `${prefix}v${index}`);
  }
  attempt('ip', 'link', 'del', `${prefix}0`);
  const base = getPersistentTempDir();
  for (const name of readdirSync(base).filter((found) => found.startsWith(folderPrefix))) {
    for (const node of [1, 2, 3]) attempt('umount', '-l', join(base, name, `node${node}`, 'disk'));
    rmSync(join(base, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const inNode = ({ namespace }: DrillNode, ...command: string[]) => run('ip', 'netns', 'exec', namespace, ...command);

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Runs a command that may fail, e.g. because there is nothing to remove. @returns what it printed */
function attempt(command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
