import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, vi } from 'vitest';
import { findServerAccount } from '@/scripts/postgres/account';
import { postgresFolder } from '@/scripts/postgres/folder';
import { startPostgres } from '@/scripts/postgres/start';
import type { openInstallation } from './installation';

type Installation = Awaited<ReturnType<typeof openInstallation>>;

/**
 * Adds a second PostgreSQL server to an installation, which copies the first one by streaming replication. From then on
 * a commit on the first waits for the second. The test's own `db()` and the returned settings of the app name both. The
 * standby is stopped after the file.
 */
export async function addStandby({ dataDir, stopPostgres, startPostgres: startPrimary }: Installation) {
  const { MIGRATION_DATABASE_URL: ownerUrl = '', DATABASE_URL: appUrl = '' } = process.env;
  const { primary, standby, copy } = await startStandby(dataDir, ownerUrl, { stop: stopPostgres, start: startPrimary });

  const onPrimary = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await onPrimary`alter system set synchronous_standby_names = 'standby'`;
  await onPrimary`select pg_reload_conf()`;
  const states = () => onPrimary<{ state: string }[]>`select sync_state as state from pg_stat_replication`;
  await vi.waitFor(async () => expect((await states())[0]?.state).toBe('sync'), 20_000);
  await onPrimary.end();

  const [own, other] = [new URL(ownerUrl).host, new URL(copy.adminUrl).host];
  const withBoth = (url: string) => `${url.replace(own, `${own},${other}`)}?target_session_attrs=read-write`;
  const settings = { DATABASE_URL: withBoth(appUrl), MIGRATION_DATABASE_URL: withBoth(ownerUrl) };
  Object.assign(process.env, settings);
  return {
    settings,
    primary: { url: ownerUrl, cluster: primary.cluster },
    standby: { url: copy.adminUrl, cluster: standby.cluster },
    promote: () => promote(copy.adminUrl),
  };
}

/**
 * Starts a copy of a server of scripts/postgres that follows it by streaming replication, and stops it after the file.
 * @param ownerUrl the address of the server
 * @param server stops the server, and starts it again at the same port
 */
export async function startStandby(
  dataDir: string,
  ownerUrl: string,
  server: { stop: () => Promise<void>; start: () => Promise<unknown> },
) {
  const account = findServerAccount();
  const primary = postgresFolder(dataDir, account);
  const standbyDir = join(dataDir, '..', 'standby');
  const standby = postgresFolder(standbyDir, account);
  // The bundled binaries have no pg_basebackup: the files of the stopped server are a base backup.
  await server.stop();
  execFileSync('cp', ['-a', primary.cluster, standby.cluster]);
  copyFileSync(primary.credentials, standby.credentials);
  await server.start();
  const { hostname, port, username, password } = new URL(ownerUrl);
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  appendFileSync(join(standby.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  execFileSync('cp', ['-p', join(standby.cluster, 'PG_VERSION'), join(standby.cluster, 'standby.signal')]);
  const copy = await startPostgres(standbyDir);
  afterAll(() => copy.stop());
  return { primary, standby, copy };
}

/** Makes a standby the primary. */
export async function promote(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`select pg_promote()`;
  await sql.end();
}
