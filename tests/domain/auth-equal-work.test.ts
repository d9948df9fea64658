import * as argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { systemActor } from '@/lib/auth/actor';
import { verifyPassword } from '@/lib/auth/password';
import { register } from '@/lib/auth/register';
import { signIn } from '@/lib/auth/sign-in';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '../factories/make-account';

// The real thing, counted.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});

const caller = { ip: '', userAgent: '', requestId: '' };
const tryIn = (email: string, password = 'not the password') =>
  signIn('user', { email, password, remember: false, code: '' }, caller).catch((error: Error) => error.message);
const newEmail = () => `${newId()}@example.com`;
const work = () => ({
  hashes: vi.mocked(argon2.hash).mock.calls.length,
  checks: vi.mocked(argon2.verify).mock.calls.length,
});

beforeEach(async () => {
  // The decoy is hashed once in the life of a process.
  await verifyPassword(null, 'x');
  await makeAccount();
  vi.clearAllMocks();
});

describe('a failed sign-in', () => {
  it.each([
    ['a known e-mail', async () => (await makeAccount()).email],
    ['an unknown e-mail', async () => newEmail()],
    ['a deleted account', async () => (await makeAccount({ deletedAt: new Date() })).email],
    ['a pending account', async () => (await makeAccount({ status: 'Pending' })).email],
    ['a suspended account', async () => (await makeAccount({ status: 'Suspended' })).email],
  ])('checks one hash for %s, and says the same', async (_, make) => {
    const email = await make();
    vi.clearAllMocks();
    expect(await tryIn(email)).toBe('Invalid credentials.');
    expect(work()).toEqual({ hashes: 0, checks: 1 });
    const [stored] = vi.mocked(argon2.verify).mock.calls[0] ?? [];
    expect(String(stored)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('takes as long for a known as for an unknown e-mail, within what a machine varies', async () => {
    const known = await Promise.all(Array.from({ length: 5 }, () => makeAccount()));
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    const measure = async (kind: keyof typeof times, email: string) => {
      const started = performance.now();
      await tryIn(email);
      times[kind].push(performance.now() - started);
    };
    for (let round = 0; round < 35; round += 1) {
      await measure('known', known[round % known.length]?.email ?? '');
      await measure('unknown', newEmail());
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const [slow, quick] = [median(times.known), median(times.unknown)];
    console.info(`sign-in refused: known ${slow.toFixed(1)} ms, unknown ${quick.toFixed(1)} ms (medians of 35)`);
    expect(slow / quick).toBeGreaterThan(0.4);
    expect(slow / quick).toBeLessThan(2.5);
  });
});

describe('a registration', () => {
  it.each([
    ['a new e-mail', async () => newEmail()],
    ['a known e-mail', async () => (await makeAccount()).email],
  ])('hashes one password for %s', async (_, make) => {
    const email = await make();
    vi.clearAllMocks();
    await register(systemActor('Test', 'web'), 'User', { name: '', email, password: testPassword });
    expect(work()).toEqual({ hashes: 1, checks: 0 });
  });
});
