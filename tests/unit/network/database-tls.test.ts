import { describe, expect, it } from 'vitest';
import { databaseTlsProblem, resolveDatabaseTls, splitHosts } from '@/lib/network/database-tls';

const remote = 'postgres://app:secret@db.example.com:5432/shop';
const strict = { isUnverifiedAllowed: false };
const relaxed = { isUnverifiedAllowed: true };
const problem = (url: string, settings: typeof strict & { ca?: string } = strict) =>
  databaseTlsProblem('DATABASE_URL', url, settings);
const ssl = (url: string, settings: typeof strict & { ca?: string } = strict) =>
  resolveDatabaseTls(url, settings, (path) => `file ${path}`).ssl;

describe('a database in production', () => {
  it.each([
    remote,
    'postgres://10.0.0.5/shop',
    `${remote}?sslmode=disable`,
    `${remote}?sslmode=prefer`,
    `${remote}?sslmode=allow`,
    `${remote}?sslmode=no-verify`,
    `${remote}?ssl=false`,
    `${remote}?sslmode=verify-ca`,
    `${remote}?sslmode=tls`,
    'postgres://app@127.0.0.1:5432,db.example.com:5432/shop',
  ])('is rejected at %s', (url) => {
    expect(problem(url)).toMatch(/^DATABASE_URL /);
  });

  it.each([
    `${remote}?sslmode=require`,
    `${remote}?sslmode=verify-full`,
    `${remote}?ssl=true`,
    `${remote}?sslrootcert=system`,
    `${remote}?sslmode=verify-ca&sslrootcert=/etc/ca.pem`,
    'postgres://app:secret@127.0.0.1:5432/shop',
    'postgres://app@localhost/shop?sslmode=disable',
    'postgres://[::1]:5432/shop',
    'postgres://app@%2Frun%2Fpostgresql/shop',
    'postgres://app:p@ss@127.0.0.1/shop',
    'postgres:///shop',
  ])('is accepted at %s', (url) => {
    expect(problem(url)).toBeNull();
  });

  it('uses PGHOST when the URL names no host, as the driver does', () => {
    const elsewhere = { ...strict, defaultHost: 'db.internal' };
    expect(problem('postgres:///shop', elsewhere)).toMatch(/on another machine/);
    expect(problem('postgres://127.0.0.1/shop', elsewhere)).toBeNull();
  });

  it('is accepted anywhere with the override, except for an unknown sslmode', () => {
    expect(problem(remote, relaxed)).toBeNull();
    expect(problem(`${remote}?sslmode=prefer`, relaxed)).toBeNull();
    expect(problem(`${remote}?sslmode=tls`, relaxed)).toMatch(/not one of disable, allow/);
  });
});

describe("the driver's TLS settings", () => {
  it('verify certificate and host name for require and verify-full on a remote host', () => {
    for (const mode of ['require', 'verify-full']) {
      expect(ssl(`${remote}?sslmode=${mode}`), mode).toEqual({ rejectUnauthorized: true, host: 'db.example.com' });
    }
    expect(ssl('postgres://10.0.0.5:5433/shop?sslmode=require')).toEqual({
      rejectUnauthorized: true,
      host: '10.0.0.5',
    });
  });

  it('follow libpq for require on loopback or with the override', () => {
    expect(ssl('postgres://localhost/shop?sslmode=require')).toBe('require');
    expect(ssl(`${remote}?sslmode=require`, relaxed)).toBe('require');
    expect(ssl(`${remote}?sslmode=verify-full`, relaxed)).toMatchObject({ rejectUnauthorized: true });
  });

  it('read the certificate authority from sslrootcert, otherwise from DATABASE_CA', () => {
    const settings = { ...strict, ca: 'PEM' };
    expect(ssl(`${remote}?sslmode=verify-full`, settings)).toMatchObject({ ca: 'PEM' });
    expect(ssl(`${remote}?sslmode=verify-full&sslrootcert=ca.pem`, settings)).toMatchObject({ ca: 'file ca.pem' });
    expect(ssl(`${remote}?sslrootcert=system`)).toEqual({ rejectUnauthorized: true, host: 'db.example.com' });
  });

  it('skip the host name for verify-ca only', () => {
    expect(ssl(`${remote}?sslmode=verify-ca&sslrootcert=ca.pem`)).toHaveProperty('checkServerIdentity');
    expect(ssl(`${remote}?sslmode=verify-full&sslrootcert=ca.pem`)).not.toHaveProperty('checkServerIdentity');
  });

  it('disable TLS without sslmode, and keep every other URL parameter', () => {
    expect(ssl(remote)).toBe(false);
    const url = `${remote}?sslmode=require&channel_binding=require&application_name=shop`;
    expect(resolveDatabaseTls(url, strict, String).url).toBe(`${remote}?application_name=shop`);
  });
});

describe('several hosts', () => {
  const hostsOf = (url: string, settings: Partial<Parameters<typeof resolveDatabaseTls>[1]> = {}) =>
    resolveDatabaseTls(url, { ...strict, ...settings }, String);

  it('are read with their ports, and the driver gets the first and no parameter of libpq', () => {
    const url = 'postgres://app:p%40ss@a.example.com:5433,b.example.com,[::1]:5434/shop';
    expect(hostsOf(`${url}?target_session_attrs=read-write&application_name=shop`, { defaultPort: 5435 })).toEqual({
      url: 'postgres://app:p%40ss@a.example.com:5433/shop?application_name=shop',
      hosts: [
        { host: 'a.example.com', port: 5433 },
        { host: 'b.example.com', port: 5435 },
        { host: '::1', port: 5434 },
      ],
      isPrimaryRequired: true,
      ssl: false,
    });
    expect(hostsOf('postgres://%2Frun%2Fa,%2Frun%2Fb/shop').hosts).toEqual([
      { host: '/run/a', port: 5432 },
      { host: '/run/b', port: 5432 },
    ]);
  });

  it('are searched for the primary, as is one host with target_session_attrs', () => {
    expect(hostsOf('postgres://a,b/shop').isPrimaryRequired).toBe(true);
    expect(hostsOf('postgres://a/shop?target_session_attrs=primary').isPrimaryRequired).toBe(true);
    expect(hostsOf('postgres://a/shop?target_session_attrs=any').isPrimaryRequired).toBe(false);
    expect(hostsOf('postgres://a/shop').isPrimaryRequired).toBe(false);
  });

  it('are verified each for its own name', () => {
    expect(hostsOf('postgres://a,b/shop?sslmode=verify-full').ssl).toEqual({ rejectUnauthorized: true });
  });

  it.each(['standby', 'prefer-standby', 'read-only', 'writable'])('are rejected with the target %s', (target) => {
    expect(problem(`postgres://127.0.0.1,localhost/shop?target_session_attrs=${target}`)).toBe(
      `DATABASE_URL has target_session_attrs=${target}, but the app writes: use read-write`,
    );
  });

  it('are accepted in production when every host of another machine is verified', () => {
    const url = 'postgres://app@a.example.com,b.example.com/shop?target_session_attrs=read-write';
    expect(problem(url)).toMatch(/^DATABASE_URL is on another machine/);
    expect(problem(`${url}&sslmode=verify-full`)).toBeNull();
  });
});

it('splits the address of several servers into one for each', () => {
  expect(
    splitHosts('postgres://app:p%2Cw@db2:5433,[::1]:5434/shop?sslmode=require&target_session_attrs=standby'),
  ).toEqual([
    { url: 'postgres://app:p%2Cw@db2:5433/shop?sslmode=require', name: 'db2:5433' },
    { url: 'postgres://app:p%2Cw@[::1]:5434/shop?sslmode=require', name: '[::1]:5434' },
  ]);
  expect(splitHosts('postgres:///shop?host=/run')).toEqual([{ url: 'postgres:///shop?host=%2Frun', name: '' }]);
});
