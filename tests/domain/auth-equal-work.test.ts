import * as argon2 from '@node-rs/argon2';
import postgres from 'postgres';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { POST as registerOlder } from '@/app/api/auth/register/route';
import { POST as postUserAuth } from '@/app/api/user/auth/[operation]/route';
import { POST as resend } from '@/app/api/user/auth/verify/resend/route';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { verifyPassword } from '@/lib/auth/password';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

// The real function, with counted calls.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});

/** Work after the response, which a caller cannot measure. */
const later: (() => Promise<unknown>)[] = [];
vi.mock('next/server', async (importOriginal) => ({
  ...(await importOriginal<typeof import('next/server')>()),
  after: (work: () => Promise<unknown>) => later.push(work),
}));

/** Every statement as sent to PostgreSQL, without its parameters. */
const statements: string[] = [];
Object.assign(globalThis, {
  linkmarketSql: postgres(process.env.DATABASE_URL ?? '', {
    max: 4,
    fetch_types: false,
    onnotice: () => undefined,
    debug: (_, query) => statements.push(query),
  }),
});

const newEmail = () => `${newId()}@example.com`;
const password = 'a new and long password';

/** The kinds of accounts that may own the address. */
const addresses: [who: string, make: () => Promise<string>][] = [
  ['an unknown email', async () => newEmail()],
  ['an active account', async () => (await makeAccount()).email],
  ['an active account, in capitals', async () => (await makeAccount()).email.toUpperCase()],
  [
    'an account with two steps',
    async () => (await makeAccount({ totpSecret: 'v1.x', totpEnabledAt: new Date() })).email,
  ],
  ['a seller', async () => (await makeAccount({ role: 'Seller' })).email],
  ['a pending account', async () => (await makeAccount({ status: 'Pending' })).email],
  ['a suspended account', async () => (await makeAccount({ status: 'Suspended' })).email],
  ['an expired account', async () => (await makeAccount({ status: 'Expired' })).email],
  ['a deleted account', async () => (await makeAccount({ deletedAt: new Date() })).email],
];

const endpoints = [
  { path: '/api/user/auth/login', handler: postUserAuth, hashes: 0, checks: 1 },
  { path: '/api/user/auth/register', handler: postUserAuth, hashes: 1, checks: 0 },
  { path: '/api/auth/register', handler: registerOlder, hashes: 1, checks: 0 },
  { path: '/api/user/auth/forgot', handler: postUserAuth, hashes: 0, checks: 0 },
  { path: '/api/user/auth/verify/resend', handler: resend, hashes: 0, checks: 0 },
] as const;

beforeEach(async () => {
  // The decoy hash is computed once per process.
  await verifyPassword(null, 'x');
  await makeAccount();
  later.length = 0;
});

/** Everything in a response that its caller could compare or time. */
async function observe({ path, handler }: (typeof endpoints)[number], email: string) {
  vi.clearAllMocks();
  statements.length = 0;
  later.length = 0;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${byte()}.${byte()}` };
  const answer = await callHandler(handler, `http://localhost:3000${path}`, {
    method: 'POST',
    headers,
    body: { name: 'Ann', email, password },
  });
  return {
    status: answer.status,
    body: answer.body,
    headers: [...answer.headers.keys()].sort(),
    cookies: answer.setCookies,
    statements: [...statements],
    hashes: vi.mocked(argon2.hash).mock.calls.length,
    checks: vi.mocked(argon2.verify).mock.calls.length,
    later: later.length,
  };
}
const byte = () => Math.floor(Math.random() * 256);

describe.each(endpoints)('$path', (endpoint) => {
  it('responds alike for every account, after the same hash and statements', async () => {
    const expected = await observe(endpoint, newEmail());
    expect(expected).toMatchObject({ hashes: endpoint.hashes, checks: endpoint.checks });
    expect(expected.statements.length).toBeGreaterThan(0);
    for (const [who, make] of addresses) {
      const email = await make();
      expect(await observe(endpoint, email), who).toEqual(expected);
    }
  });
});

describe('the check of a password hash', () => {
  it.each(addresses)('costs the same for %s', async (_, make) => {
    await observe(endpoints[0], await make());
    const [stored] = vi.mocked(argon2.verify).mock.calls[0] ?? [];
    expect(String(stored)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('the work after the response', () => {
  it.each([
    [
      'forgot',
      endpoints[3],
      [
        'an active account',
        'an active account, in capitals',
        'an account with two steps',
        'a seller',
        'a pending account',
      ],
    ],
    ['resend', endpoints[4], ['a pending account']],
  ] as const)('%s mails only the accounts concerned', async (_, endpoint, mailed) => {
    for (const [who, make] of addresses) {
      const email = await make();
      await observe(endpoint, email);
      await db().delete(mails);
      for (const work of later) await work();
      const sent = await db().select({ to: mails.recipient }).from(mails);
      const isMailed = mailed.some((one) => one === who);
      expect(sent, who).toEqual(isMailed ? [{ to: email.toLowerCase() }] : []);
    }
  });

  it('registration sends every recipient the matching mail', async () => {
    const kinds: Record<string, string> = {};
    for (const [who, make] of addresses) {
      await db().delete(mails);
      await observe(endpoints[1], await make());
      const [mail, ...more] = await db().select({ kind: mails.kind }).from(mails);
      expect(more).toEqual([]);
      kinds[who] = mail?.kind ?? '';
    }
    const { 'an unknown email': unknown, 'a deleted account': deleted, ...known } = kinds;
    expect([unknown, deleted]).toEqual(['verify-email', 'account-closed']);
    expect(new Set(Object.values(known))).toEqual(new Set(['account-exists']));
  });
});
