import * as argon2 from '@node-rs/argon2';
import postgres from 'postgres';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { POST as registerOlder } from '@/app/api/auth/register/route';
import { POST as forgot } from '@/app/api/user/auth/forgot/route';
import { POST as login } from '@/app/api/user/auth/login/route';
import { POST as registerNewer } from '@/app/api/user/auth/register/route';
import { POST as resend } from '@/app/api/user/auth/verify/resend/route';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { verifyPassword } from '@/lib/auth/password';
import { newId } from '@/lib/ids';
import { makeAccount } from '../factories/make-account';
import { callHandler } from '../setup/request-scope';

vi.mock('next/headers', async () => (await import('../setup/request-scope')).nextHeaders);

// The real thing, counted.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});

/** What is left for when the answer is on its way; nobody who waits for the answer can time it. */
const later: (() => Promise<unknown>)[] = [];
vi.mock('next/server', async (importOriginal) => ({
  ...(await importOriginal<typeof import('next/server')>()),
  after: (work: () => Promise<unknown>) => later.push(work),
}));

/** Every statement, as PostgreSQL is sent it, without its values. */
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

/** Whose address it may be. */
const addresses: [who: string, make: () => Promise<string>][] = [
  ['nobody', async () => newEmail()],
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
  { path: '/api/user/auth/login', handler: login, hashes: 0, checks: 1 },
  { path: '/api/user/auth/register', handler: registerNewer, hashes: 1, checks: 0 },
  { path: '/api/auth/register', handler: registerOlder, hashes: 1, checks: 0 },
  { path: '/api/user/auth/forgot', handler: forgot, hashes: 0, checks: 0 },
  { path: '/api/user/auth/verify/resend', handler: resend, hashes: 0, checks: 0 },
] as const;

beforeEach(async () => {
  // The decoy is hashed once in the life of a process.
  await verifyPassword(null, 'x');
  await makeAccount();
  later.length = 0;
});

/** Everything about an answer that its receiver could see or time. */
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
  it('answers alike whoever the address belongs to, after the same hash and the same statements', async () => {
    const expected = await observe(endpoint, newEmail());
    expect(expected).toMatchObject({ hashes: endpoint.hashes, checks: endpoint.checks });
    expect(expected.statements.length).toBeGreaterThan(0);
    for (const [who, make] of addresses) {
      const email = await make();
      expect(await observe(endpoint, email), who).toEqual(expected);
    }
  });
});

describe('a hash that is checked', () => {
  it.each(addresses)('is as costly for %s as any', async (_, make) => {
    await observe(endpoints[0], await make());
    const [stored] = vi.mocked(argon2.verify).mock.calls[0] ?? [];
    expect(String(stored)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('what is left for after the answer', () => {
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
  ] as const)('%s mails only whom it helps', async (_, endpoint, mailed) => {
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

  it('registering mails everybody, each their own way', async () => {
    const kinds: Record<string, string> = {};
    for (const [who, make] of addresses) {
      await db().delete(mails);
      await observe(endpoints[1], await make());
      const [mail, ...more] = await db().select({ kind: mails.kind }).from(mails);
      expect(more).toEqual([]);
      kinds[who] = mail?.kind ?? '';
    }
    const { nobody, 'a deleted account': deleted, ...known } = kinds;
    expect([nobody, deleted]).toEqual(['verify-email', 'account-closed']);
    expect(new Set(Object.values(known))).toEqual(new Set(['account-exists']));
  });
});
