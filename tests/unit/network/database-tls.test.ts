import { describe, expect, it } from 'vitest';
import { databaseTlsProblem, resolveDatabaseTls } from '@/lib/network/database-tls';

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
