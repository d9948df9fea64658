import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { ensureBuild } from '@/scripts/build/ensure-build';
import { findServerAccount, getPersistentTempDir } from '@/scripts/postgres/account';
import { ensureRoles } from '@/scripts/postgres/roles';
import { runCommand } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { findPostgresPrograms, installPackages } from './drills/debian';
import { startTraffic } from './drills/traffic';
import { verifyWhole } from './drills/verify-whole';

const packages = { pgbackrest: '/usr/bin/pgbackrest', postgresql: '/usr/lib/postgresql' };

/**
 * `npm run drill:recovery`: takes a base backup of a PostgreSQL server with pgBackRest under load, lets the owner of the
 * tables delete orders without the triggers that protect them, restores to one second before that, and verifies the books,
 * the audit log, and that everything acknowledged until then is there once. Needs root, for Debian's packages and the
 * account postgres. Exits with 1 when something is missing.
 */
runCommand(async (lifetime) => {
  installPackages(packages);
  await ensureBuild(lifetime, (line) => process.stdout.write(`build | ${line}\n`));
  const server = await lifetime.own(createArchivedServer(), (made) => made.remove());
  const durations: [string, number][] = [];
  const timed = async <Result>(step: string, work: () => Promise<Result> | Result): Promise<Result> => {
    const from = performance.now();
    const result = await work();
    durations.push([step, (performance.now() - from) / 1_000]);
    process.stdout.write(`${step}: ${durations.at(-1)?.[1].toFixed(1)} s\n`);
    return result;
  };

  const port = await pickFreePort();
  const appUrl = `http://127.0.0.1:${port}`;
  Object.assign(process.env, server.urls, { APP_URL: appUrl });
  const dataDir = join(server.folder, 'app');
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const services = await startServices(lifetime, { appEnv: 'test', port, dataDir, say });
  Object.assign(process.env, services.env);
  await services.seeded;
  const gatewayUrl = `http://127.0.0.1:${services.gatewayPort}`;
  const app = await startApp(lifetime, 'start', services.env, () => undefined);
  const traffic = await startTraffic(appUrl, [appUrl], gatewayUrl, join(server.folder, 'journal.jsonl'));
  await traffic.waitForOrders(50, 60);
  await timed('Base backup under load', () => server.pgbackrest('backup', '--type=full'));
  await traffic.waitForOrders(100, 120);
  await sleep(15_000);

  const mistakeAt = await makeMistake(server.urls.MIGRATION_DATABASE_URL);
  const target = new Date(mistakeAt.getTime() - 1_000);
  // Traffic goes on until the mistake is noticed. It may be refused, because its orders are gone.
  await sleep(5_000);
  const { closeDb } = await import('@/db/client');
  process.stdout.write(`The mistake: ${mistakeAt.toISOString()}, the target: ${target.toISOString()}\n`);
  const isDamageFound = !(await verifyWhole(lifetime));
  await traffic.stop().catch((thrown: unknown) => process.stdout.write(`${String(thrown)}\n`));
  await closeDb();
  await app.stop();
  await timed('Archive the last log, stop', () => server.stop());
  await timed('Restore of the files', () =>
    server.pgbackrest(
      'restore',
      '--delta',
      '--type=time',
      `--target=${target.toISOString().replace('T', ' ').replace('Z', '+00')}`,
      '--target-action=promote',
    ),
  );
  await timed('Replay of the log until the target', () => server.startAndPromote());
  const areProofsSound = await timed('Proof of the books and the audit log', () => verifyWhole(lifetime));
  await startApp(lifetime, 'start', services.env, () => undefined);
  const comparison = await traffic.compare(target.getTime());
  await closeDb();

  const { lost, doubled, afterwards, ...sums } = comparison;
  const lines = [
    '| Step | Seconds |',
    '| --- | --- |',
    ...durations.map(([step, seconds]) => `| ${step} | ${seconds.toFixed(1)} |`),
    '',
    `${cpus().length} × ${cpus()[0]?.model}; ${server.size()}.`,
    `Acknowledged before the target and lost: ${lost.length}; doubled: ${doubled.length}. Acknowledged after it and not restored: ${JSON.stringify(afterwards)}.`,
    `The damage was found by the proof: ${isDamageFound}. ${JSON.stringify(sums)}`,
    ...[...lost, ...doubled].map((one) => `WRONG ${JSON.stringify(one)}`),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  await lifetime.end(lost.length + doubled.length === 0 && areProofsSound && isDamageFound ? 0 : 1);
});

/** Deletes a third of the orders as the owner, without the triggers and foreign keys that protect them. @returns when it began, by PostgreSQL's clock */
async function makeMistake(ownerUrl: string): Promise<Date> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    if (!row) throw new Error('PostgreSQL returned no time.');
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from orders where id % 3 = 0`;
    });
    return row.now;
  } finally {
    await sql.end();
  }
}

/** Creates a PostgreSQL server of the account postgres whose log is archived by pgBackRest. */
async function createArchivedServer() {
  const account = findServerAccount();
  if (!account) throw new Error('The drill needs root.');
  const folder = mkdtempSync(join(getPersistentTempDir(), 'linkmarket-recovery-'));
  const [data, config, passwordFile] = [
    join(folder, 'data'),
    join(folder, 'pgbackrest.conf'),
    join(folder, 'password'),
  ];
  chmodSync(folder, 0o711);
  for (const name of ['data', 'repo', 'log', 'spool', 'socket']) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    chownSync(join(folder, name), account.uid, account.gid);
  }
  const programs = findPostgresPrograms();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { ...account, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const pgCtl = (...args: string[]) => run(join(programs, 'pg_ctl'), '-D', data, '-w', '-t', '300', ...args);
  const pgbackrest = (...args: string[]) =>
    run('/usr/bin/pgbackrest', `--config=${config}`, '--stanza=linkmarket', ...args);
  const remove = () => {
    if (existsSync(join(data, 'postmaster.pid'))) pgCtl('stop', '-m', 'immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await pickFreePort();
    const [adminPassword, appPassword] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    writeFileSync(passwordFile, adminPassword, { mode: 0o600 });
    chownSync(passwordFile, account.uid, account.gid);
    const access = [
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth-local=peer',
      '--auth-host=scram-sha-256',
    ];
    run(join(programs, 'initdb'), '-D', data, ...access, '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums');
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: join(folder, 'socket'),
      archive_mode: 'on',
      archive_command: `pgbackrest --config=${config} --stanza=linkmarket archive-push %p`,
      archive_timeout: 60,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
    chownSync(join(data, 'postgresql.auto.conf'), account.uid, account.gid);
    const sections = {
      global: {
        'repo1-path': join(folder, 'repo'),
        'repo1-cipher-type': 'aes-256-cbc',
        'repo1-cipher-pass': randomBytes(32).toString('base64'),
        'repo1-retention-full': 2,
        'log-path': join(folder, 'log'),
        'lock-path': join(folder, 'spool'),
        'spool-path': join(folder, 'spool'),
        'process-max': 2,
        'start-fast': 'y',
      },
      linkmarket: { 'pg1-path': data, 'pg1-port': port, 'pg1-socket-path': join(folder, 'socket') },
    };
    const text = Object.entries(sections).map(
      ([name, values]) =>
        `[${name}]\n${Object.entries(values)
          .map(([key, value]) => `${key}=${value}\n`)
          .join('')}`,
    );
    writeFileSync(config, text.join('\n'), { mode: 0o600 });
    chownSync(config, account.uid, account.gid);
    const start = () => pgCtl('start', '-l', join(folder, 'log', 'postgresql.log'));
    start();
    const { adminUrl, appUrl } = await ensureRoles(port, { adminPassword, appPassword });
    pgbackrest('stanza-create');
    return {
      folder,
      remove,
      pgbackrest,
      urls: { DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: adminUrl },
      /** Archives the log up to now, as before every restore of a server that still runs, and stops it. */
      stop: async () => {
        const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
        await sql`select pg_switch_wal()`;
        await sql.end();
        pgCtl('stop', '-m', 'fast');
      },
      startAndPromote: async () => {
        start();
        const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
        while ((await sql`select pg_is_in_recovery() as recovering`)[0]?.recovering) await sleep(100);
        await sql.end();
      },
      size: () => /database size: [^,]+, database backup size: \S+/.exec(pgbackrest('info'))?.[0] ?? 'size unknown',
    };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
