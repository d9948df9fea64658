import { describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/env';
import { getDirectUploadOrigin } from '@/lib/network/direct-uploads';

const key = 'A'.repeat(43);
const complete = {
  APP_URL: 'https://links.example.com/',
  DATABASE_URL: 'postgres://db.example.com/linkmarket?sslmode=verify-full',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  SECRET_KEYS: `k2:${key}=,k1:${key}=`,
};

describe('the environment', () => {
  it('defaults to production, and removes the trailing slash of APP_URL', () => {
    expect(parseEnv(complete)).toMatchObject({
      APP_ENV: 'production',
      APP_URL: 'https://links.example.com',
      PORT: 3000,
    });
  });

  it('reports all missing variables at once', () => {
    expect(() => parseEnv({ PORT: '' })).toThrow(
      /DATABASE_URL is not set[\s\S]*NEXTAUTH_SECRET is not set[\s\S]*SECRET_KEYS is not set/,
    );
  });

  it('reports APP_URL together with the other missing variables', () => {
    expect(() => parseEnv({})).toThrow(/DATABASE_URL is not set[\s\S]*APP_URL is not set/);
  });

  it('verifies each replica as it verifies the database, and lets target_session_attrs select standbys', () => {
    const withReplicas = (hosts: string, query: string) =>
      parseEnv({ ...complete, DATABASE_READ_URL: `postgres://${hosts}/linkmarket?${query}` }).DATABASE_READ_URL;
    expect(
      withReplicas('db2.example.com,db3.example.com', 'sslmode=verify-full&target_session_attrs=standby'),
    ).toContain('db3');
    expect(() => withReplicas('127.0.0.1,db3.example.com', 'target_session_attrs=standby')).toThrow(
      /DATABASE_READ_URL is on another machine/,
    );
  });

  it('distinguishes an invalid value from a missing one', () => {
    expect(() => parseEnv({ ...complete, PORT: 'abc' })).toThrow(/PORT (?!is not set)/);
  });

  it('requires APP_URL in production and derives it from PORT elsewhere', () => {
    const { APP_URL: _, ...rest } = complete;
    expect(() => parseEnv(rest)).toThrow(/APP_URL is not set/);
    expect(parseEnv({ ...rest, APP_ENV: 'demo', PORT: '3100' }).APP_URL).toBe('http://localhost:3100');
  });

  it('allows plain http in production only for a loopback host', () => {
    for (const url of ['http://links.example.com', 'http://192.168.1.5:3000', 'http://localhost.example.com']) {
      expect(() => parseEnv({ ...complete, APP_URL: url }), url).toThrow(/APP_URL must begin with https/);
      expect(parseEnv({ ...complete, APP_ENV: 'demo', APP_URL: url }).APP_URL).toBe(url);
    }
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://app.localhost']) {
      expect(parseEnv({ ...complete, APP_URL: url }).APP_URL).toBe(url);
    }
  });

  it('trusts proxies on loopback by default', () => {
    expect(parseEnv(complete).TRUSTED_PROXIES.has('127.0.0.1')).toBe(true);
    expect(parseEnv(complete).TRUSTED_PROXIES.has('10.0.0.1')).toBe(false);
    expect(parseEnv({ ...complete, TRUSTED_PROXIES: 'none' }).TRUSTED_PROXIES.has('127.0.0.1')).toBe(false);
    expect(parseEnv({ ...complete, TRUSTED_PROXIES: '10.0.0.0/8' }).TRUSTED_PROXIES.has('10.0.0.1')).toBe(true);
  });

  it.each(['1', 'proxy.example.com', '10.0.0.0/8/8', '0.0.0.0/0'])('refuses TRUSTED_PROXIES=%s', (list) => {
    expect(() => parseEnv({ ...complete, TRUSTED_PROXIES: list })).toThrow(/TRUSTED_PROXIES contains/);
  });

  it('rejects an unverified remote PostgreSQL in production unless a setting allows it', () => {
    const plain = { ...complete, DATABASE_URL: 'postgres://db.example.com/linkmarket' };
    expect(() => parseEnv(plain)).toThrow(/DATABASE_URL is on another machine .* ALLOW_UNVERIFIED_TLS=postgres/);
    expect(() => parseEnv({ ...complete, MIGRATION_DATABASE_URL: plain.DATABASE_URL })).toThrow(
      /MIGRATION_DATABASE_URL is/,
    );
    expect(() => parseEnv({ ...plain, ALLOW_UNVERIFIED_TLS: 's3' })).toThrow(/DATABASE_URL is on another machine/);
    expect(parseEnv({ ...plain, ALLOW_UNVERIFIED_TLS: 's3, postgres' }).ALLOW_UNVERIFIED_TLS).toEqual([
      's3',
      'postgres',
    ]);
    parseEnv({ ...plain, APP_ENV: 'demo' });
    expect(() => parseEnv({ ...complete, ALLOW_UNVERIFIED_TLS: 'all' })).toThrow(/ALLOW_UNVERIFIED_TLS.* can contain/);
  });

  it('rejects an S3 store over plain http in production unless a setting allows it', () => {
    const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
    const remote = { ...complete, ...s3, S3_ENDPOINT: 'http://minio.internal:9000' };
    expect(() => parseEnv(remote)).toThrow(/S3_ENDPOINT must begin with https/);
    expect(() => parseEnv({ ...remote, ALLOW_UNVERIFIED_TLS: 'postgres' })).toThrow(/S3_ENDPOINT must begin/);
    parseEnv({ ...remote, ALLOW_UNVERIFIED_TLS: 's3' });
    parseEnv({ ...remote, S3_ENDPOINT: 'http://127.0.0.1:9000' });
    const backups = { BACKUP_S3_BUCKET: 'b', BACKUP_S3_ACCESS_KEY_ID: 'a', BACKUP_S3_SECRET_ACCESS_KEY: 's' };
    expect(() => parseEnv({ ...complete, ...backups })).toThrow(/BACKUP_S3_ENDPOINT, .* belong together/);
    const plain = { ...complete, ...backups, BACKUP_S3_BUCKET: 'backups', BACKUP_S3_ENDPOINT: 'http://minio.internal' };
    expect(() => parseEnv(plain)).toThrow(/BACKUP_S3_ENDPOINT must begin with https/);
    parseEnv({ ...remote, S3_ENDPOINT: 'https://minio.internal' });
  });

  it('accepts direct uploads with a bucket only', () => {
    const s3 = {
      ...{ S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'files' },
      ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    };
    expect(() => parseEnv({ ...complete, S3_DIRECT_UPLOADS: 'on' })).toThrow(/S3_DIRECT_UPLOADS=on needs a bucket/);
    parseEnv({ ...complete, S3_DIRECT_UPLOADS: 'off' });
    const bucket = {
      ...{ S3_ENDPOINT: 'http://bucket:7070', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' },
      ...{ APP_URL: 'https://links.example.com', ALLOW_UNVERIFIED_TLS: 's3' },
    };
    parseEnv({ ...complete, ...bucket });
    expect(() => parseEnv({ ...complete, ...bucket, S3_DIRECT_UPLOADS: 'on' })).toThrow(
      /needs an S3_ENDPOINT with https/,
    );
    const originWith = (values: Record<string, string>) =>
      getDirectUploadOrigin(parseEnv({ ...complete, ...s3, ...values }));
    expect(originWith({})).toBeNull();
    expect(originWith({ VERCEL: '1' })).toBe('https://s3.example.com');
    expect(originWith({ VERCEL: '1', S3_DIRECT_UPLOADS: 'off' })).toBeNull();
    expect(originWith({ S3_DIRECT_UPLOADS: 'on' })).toBe('https://s3.example.com');
    expect(getDirectUploadOrigin(parseEnv({ ...complete, VERCEL: '1' }))).toBeNull();
  });

  it('rejects disabled TLS verification in production', () => {
    expect(() => parseEnv({ ...complete, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(/NODE_EXTRA_CA_CERTS/);
  });

  it('accepts certificates in one line, and nothing else, as DATABASE_CA', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
    expect(parseEnv({ ...complete, DATABASE_CA: pem.replaceAll('\n', '\\n') }).DATABASE_CA).toBe(pem);
    expect(() => parseEnv({ ...complete, DATABASE_CA: '/etc/ca.pem' })).toThrow(/DATABASE_CA must be certificates/);
  });

  it('reads the SMTP server from SMTP_URL, with STARTTLS at port 587 or TLS at port 465', () => {
    const sender = { ...complete, MAIL_FROM: 'Links <a@links.example.com>' };
    expect(parseEnv({ ...sender, SMTP_URL: 'smtp://app%40example.com:p%2Fs%25@mail.example.com' }).SMTP_URL).toEqual({
      host: 'mail.example.com',
      port: 587,
      isImplicitTls: false,
      login: { user: 'app@example.com', password: 'p/s%' },
    });
    expect(parseEnv({ ...sender, SMTP_URL: 'smtps://mail.example.com/' }).SMTP_URL).toMatchObject({ port: 465 });
    expect(parseEnv({ ...sender, SMTP_URL: 'smtp://[::1]:2525' }).SMTP_URL).toMatchObject({ host: '::1', port: 2525 });
  });

  it.each([
    'mail.example.com:587',
    'https://u:hidden@mail.example.com',
    'smtp://u:hid/den@mail.example.com',
    'smtp://u:1/hidden@mail.example.com',
    'smtp://u:1#hidden@mail.example.com',
    'smtp://u:hidden@mail.example.com?secure=false',
    'smtp://u:hidden%E0@mail.example.com',
    'smtp://u:hidden%00@mail.example.com',
    'smtp://u:hidden@mail.example.com:465',
    'smtp://u:hidden@mail.example.com:0',
    'smtp://hidden@mail.example.com',
  ])('rejects SMTP_URL=%s without repeating the password', (url) => {
    let message = '';
    try {
      parseEnv({ ...complete, MAIL_FROM: 'a@links.example.com', SMTP_URL: url });
    } catch (thrown) {
      message = String(thrown);
    }
    expect(message).toMatch(/SMTP_URL (must|contains)/);
    expect(message).not.toContain('hidden');
  });

  it('sends mails through one provider, and through SMTP with a sender', () => {
    const smtp = { ...complete, SMTP_URL: 'smtp://mail.example.com' };
    expect(() => parseEnv(smtp)).toThrow(/MAIL_FROM must be the sender/);
    for (const from of [
      'Links',
      'a@b@c',
      'Links <a@example.com',
      'a@example.com>',
      '<a@example.com>, <b@example.com>',
    ]) {
      expect(() => parseEnv({ ...smtp, MAIL_FROM: from }), from).toThrow(/MAIL_FROM must be the sender/);
    }
    expect(() => parseEnv({ ...smtp, MAIL_FROM: 'a@example.com', RESEND_API_KEY: 're_1' })).toThrow(
      /exclude each other/,
    );
  });

  it('rejects the sandbox gateway in production at any address', () => {
    for (const name of [
      'STRIPE_BASE_URL',
      'PAYPAL_BASE_URL',
      'WECHAT_BASE_URL',
      'RESEND_BASE_URL',
      'OPENAI_BASE_URL',
      'ECB_BASE_URL',
      'AHREFS_BASE_URL',
      'VIES_BASE_URL',
      'TELEGRAM_BASE_URL',
      'PUBLISHER_BASE_URL',
    ]) {
      for (const url of ['http://127.0.0.1:4611', 'https://api.example.com']) {
        expect(() => parseEnv({ ...complete, [name]: url })).toThrow(`${name} is set: the sandbox gateway`);
      }
    }
  });

  it('accepts a sandbox gateway only at a loopback address', () => {
    const demo = { ...complete, APP_ENV: 'demo' };
    expect(parseEnv({ ...demo, STRIPE_BASE_URL: 'http://127.0.0.1:4611' }).STRIPE_BASE_URL).toBe(
      'http://127.0.0.1:4611',
    );
    for (const url of ['http://localhost:4611', 'http://10.0.0.1:4611', 'http://127.0.0.1.example.com']) {
      expect(() => parseEnv({ ...demo, STRIPE_BASE_URL: url })).toThrow(/loopback/);
    }
  });

  it('requires both or neither variable of the first admin', () => {
    expect(() => parseEnv({ ...complete, ADMIN_EMAIL: 'a@example.com' })).toThrow(/belong together/);
  });

  it.each(['k1', 'k1:short', `K!:${key}=`])('rejects the key ring %s', (ring) => {
    expect(() => parseEnv({ ...complete, SECRET_KEYS: ring })).toThrow(/SECRET_KEYS/);
  });

  it.each(['127.0.0.1:3310', 'clamd:3310', '[::1]:3310', '/run/clamav/clamd.ctl'])('accepts clamd at %s', (address) => {
    expect(parseEnv({ ...complete, CLAMD_ADDRESS: address }).CLAMD_ADDRESS).toBe(address);
  });

  it.each(['clamd', ':3310', 'tcp://clamd:3310', 'clamd:3310/x'])('rejects clamd at %s', (address) => {
    expect(() => parseEnv({ ...complete, CLAMD_ADDRESS: address })).toThrow(/CLAMD_ADDRESS must be host:port/);
  });

  it.each(['clamd:0', 'clamd:65536', '[::1]:99999'])('rejects a port such as %s', (address) => {
    expect(() => parseEnv({ ...complete, CLAMD_ADDRESS: address })).toThrow(/CLAMD_ADDRESS .* from 1 to 65535/);
  });
});
