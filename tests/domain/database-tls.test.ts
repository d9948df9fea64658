import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '@/db/open-pool';
import { describeCertificateError } from '@/lib/network/database-tls';
import { findServerAccount } from '@/scripts/postgres/account';
import { postgresFolder } from '@/scripts/postgres/folder';
import { type Postgres, startPostgres } from '@/scripts/postgres/start';
import { checkMigrations } from '@/scripts/services/check-migrations';
import { createTempFolder } from '@/scripts/testing/temp-folder';

const folder = createTempFolder('linkmarket-tls-');
const dataDir = join(folder, 'data');
let server: Postgres;
/** The server's self-signed certificate for 127.0.0.1, without a host name. */
let certificate = '';

beforeAll(async () => {
  server = await startPostgres(dataDir, { durable: false });
  const account = findServerAccount();
  const { cluster } = postgresFolder(dataDir, account);
  certificate = join(cluster, 'server.crt');
  const key = join(cluster, 'server.key');
  const subject = ['-subj', '/CN=PostgreSQL', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...files, ...subject], { stdio: 'pipe' });
  chmodSync(key, 0o600);
  if (account) for (const file of [key, certificate]) chownSync(file, account.uid, account.gid);
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => undefined });
  await admin`alter system set ssl = on`;
  await admin`select pg_reload_conf()`;
  await vi.waitFor(async () => expect((await admin`show ssl`)[0]?.ssl).toBe('on'), 20_000);
  await admin.end();
}, 120_000);

afterEach(() => {
  delete process.env.DATABASE_CA;
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The server's URL with parameters and, optionally, another name of this machine. */
function addressWith(parameters: Record<string, string>, hostname = '127.0.0.1'): string {
  const url = Object.assign(new URL(server.adminUrl), { hostname });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether the server sees an encrypted connection, or the code of the failure. */
async function outcome(url: string): Promise<unknown> {
  const sql = connect(url, { max: 1, connect_timeout: 5 });
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.ssl;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? thrown.code : thrown;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

describe('a PostgreSQL with a self-signed certificate', () => {
  it('is rejected with verify-full, whose authorities do not include it', async () => {
    expect(await outcome(addressWith({ sslmode: 'verify-full' }))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await outcome(addressWith({ sslrootcert: 'system' }))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('is accepted with its authority from a file or from DATABASE_CA', async () => {
    expect(await outcome(addressWith({ sslmode: 'verify-full', sslrootcert: certificate }))).toBe(true);
    process.env.DATABASE_CA = readFileSync(certificate, 'utf8').replaceAll('\n', '\\n');
    expect(await outcome(addressWith({ sslmode: 'verify-full' }))).toBe(true);
  });

  it('is rejected under a name outside the certificate, unless only the authority is checked', async () => {
    const wrongName = (sslmode: string) => addressWith({ sslmode, sslrootcert: certificate }, 'localhost');
    expect(await outcome(wrongName('verify-full'))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await outcome(wrongName('verify-ca'))).toBe(true);
  });

  it('is verified under the name that was connected to, when the URL has several hosts', async () => {
    const [own, closed] = [new URL(server.adminUrl).host, '127.0.0.1:9'];
    const among = (hosts: string, sslmode: string) =>
      addressWith({ sslmode, sslrootcert: certificate }).replace(own, hosts);
    const wrongName = own.replace('127.0.0.1', 'localhost');
    expect(await outcome(among(`${closed},${own}`, 'verify-full'))).toBe(true);
    expect(await outcome(among(`${wrongName},${wrongName}`, 'verify-full'))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await outcome(among(`${closed},${wrongName}`, 'verify-ca'))).toBe(true);
    expect(await outcome(among(`${closed},${own}`, 'disable'))).toBe(false);
  });

  it('is accepted without verification on loopback, encrypted or not', async () => {
    expect(await outcome(addressWith({ sslmode: 'require', channel_binding: 'prefer' }))).toBe(true);
    expect(await outcome(addressWith({ sslmode: 'disable' }))).toBe(false);
    expect(await outcome(addressWith({}))).toBe(false);
  });

  it('fails the start with instructions', async () => {
    await expect(checkMigrations(addressWith({ sslmode: 'verify-full' }))).rejects.toThrow(
      /self-signed certificate\. Set the certificate authority .* sslrootcert .* DATABASE_CA/,
    );
    expect(describeCertificateError(new Error('anything else'))).toBeNull();
  });
});
