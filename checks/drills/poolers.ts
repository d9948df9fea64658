import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findServerAccount } from '@/scripts/postgres/account';
import type { Lifetime } from '@/scripts/process/lifetime';
import { isPortFree, pickFreePort } from '@/scripts/process/ports';
import type { PatroniCluster } from './patroni-cluster';

/** HAProxy asks Patroni for the role of a server, and closes the connections to one that lost it. */
const proxied = 'inter 1s fall 3 rise 1 on-marked-down shutdown-sessions';

/**
 * Starts PgBouncer in transaction mode before each server of a cluster, and HAProxy before them: one port leads to the
 * primary, one to the replicas in turn. The processes end with the lifetime.
 * @returns the addresses of the database for the app's role
 */
export async function startPoolers(lifetime: Lifetime, cluster: PatroniCluster) {
  const account = findServerAccount();
  if (!account) throw new Error('The check needs root.');
  const folder = join(cluster.folder, 'poolers');
  mkdirSync(folder);
  chownSync(folder, account.uid, account.gid);
  const write = (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    chownSync(path, account.uid, account.gid);
    return path;
  };
  const start = async (name: string, command: string, args: readonly string[], port: number) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const as = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
    const child = spawn('setpriv', [...as, command, ...args], { stdio: ['ignore', log, log], cwd: '/' });
    await lifetime.own(Promise.resolve(child), async () => void child.kill('SIGKILL'));
    for (const deadline = Date.now() + 10_000; await isPortFree(port); await sleep(100))
      if (Date.now() > deadline) throw new Error(`${name} does not listen on port ${port}: see its log in ${folder}.`);
  };

  const users = write('users', [`"linkmarket" "${cluster.appPassword}"`]);
  const poolers: { name: string; address: string; port: number }[] = [];
  for (const { name, address } of cluster.nodes) {
    const port = await pickFreePort();
    const config = write(`${name}.ini`, [
      '[databases]',
      `linkmarket = host=${address} port=5432 dbname=linkmarket`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'max_client_conn = 200',
      'default_pool_size = 20',
      'server_connect_timeout = 2',
      'server_login_retry = 1',
      'query_wait_timeout = 5',
    ]);
    await start(name, '/usr/sbin/pgbouncer', [config], port);
    poolers.push({ name, address, port });
  }

  const [toPrimary, toReplicas] = [await pickFreePort(), await pickFreePort()];
  const servers = poolers.map(
    ({ name, address, port }) => `  server ${name} 127.0.0.1:${port} check addr ${address} port 8008 ${proxied}`,
  );
  const proxy = write('haproxy.cfg', [
    'defaults',
    ...['mode tcp', 'timeout connect 2s', 'timeout client 1h', 'timeout server 1h', 'timeout check 2s'],
    'listen primary',
    ...[`  bind 127.0.0.1:${toPrimary}`, '  option httpchk GET /primary', ...servers],
    'listen replicas',
    ...[`  bind 127.0.0.1:${toReplicas}`, '  balance roundrobin', '  option httpchk GET /replica', ...servers],
  ]);
  await start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', proxy], toPrimary);
  const urlTo = (hosts: string) => `postgres://linkmarket:${cluster.appPassword}@${hosts}/linkmarket`;
  return {
    primary: urlTo(`127.0.0.1:${toPrimary}`),
    /** The replicas behind HAProxy. */
    replicas: urlTo(`127.0.0.1:${toReplicas}`),
    /** Every server, of which the app reads those that are fresh enough. */
    each: urlTo(poolers.map(({ port }) => `127.0.0.1:${port}`).join(',')),
  };
}
