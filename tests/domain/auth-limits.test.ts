import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { sessions } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { createEmailToken } from '@/lib/auth/email-token';
import { resetPassword } from '@/lib/auth/reset-password';
import { signIn } from '@/lib/auth/sign-in';
import { newId } from '@/lib/ids';
import { consumeLimit, resetLimit } from '@/lib/platform/rate-limits/consume';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { inRequest } from '@/tests/setup/request-scope';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const { pair: perPair, account: perAccount, address: perAddress } = limits.signIn;
const tries = (count: number, limited: (index: number) => { account: string; address: string }) =>
  settle(Array.from({ length: count }, (_, index) => consumeLimit('signIn', limited(index))));
const keyed = async (part: string) => (await db().select().from(rateLimits)).filter(({ key }) => key.includes(part));

/** An IPv4 address that no other test uses. */
let last = 0;
function newAddress(): string {
  last += 1;
  return `10.1.${Math.floor(last / 256)}.${last % 256}`;
}

describe('a rate limit', () => {
  it('admits exactly its number of concurrent attempts for an account from one address', async () => {
    const limited = { account: newId(), address: newAddress() };
    const { values, codes: refused } = await tries(perPair.max + 25, () => limited);
    expect([values.length, refused.length]).toEqual([perPair.max, 25]);
    expect(new Set(refused)).toEqual(new Set(['rate_limited']));
    await expect(consumeLimit('signIn', limited)).rejects.toThrow(/^Too many attempts/);
  });

  it('of one address does not affect the account from other addresses', async () => {
    const account = newId();
    const stranger = newAddress();
    await tries(perPair.max + 200, () => ({ account, address: stranger }));
    await consumeLimit('signIn', { account, address: newAddress() });
    // Attempts refused by the address limit do not count for the account.
    const [row] = await keyed(`account:${account}`);
    expect(row?.count).toBe(perPair.max + 1);
  });

  it('has a higher count for an account over all addresses than one address can reach', async () => {
    const account = newId();
    const { values } = await tries(perAccount.max + 5, () => ({ account, address: newAddress() }));
    expect(values).toHaveLength(perAccount.max);
    for (const rules of [limits.signIn, limits.password, limits.register, limits.forgot, limits.resend]) {
      const windows = Math.ceil(rules.account.seconds / rules.pair.seconds);
      expect(rules.account.max).toBeGreaterThan(windows * rules.pair.max);
    }
  });

  it('counts an address over all accounts', async () => {
    const address = newAddress();
    const { values } = await tries(perAddress.max + 5, () => ({ account: newId(), address }));
    expect(values).toHaveLength(perAddress.max);
  });

  it('treats the addresses of one IPv6 customer as one', async () => {
    const account = newId();
    const { values } = await tries(perPair.max + 5, (index) => ({ account, address: `2001:db8:7:7::${index + 1}` }));
    expect(values).toHaveLength(perPair.max);
    await consumeLimit('signIn', { account, address: '2001:db8:7:8::1' });
  });

  it('returns the time to wait, and resets after its window', async () => {
    const limited = { account: newId(), address: '' };
    await tries(perPair.max, () => limited);
    await expect(consumeLimit('signIn', limited)).rejects.toMatchObject({
      details: { retryAfterSeconds: expect.any(Number) },
    });
    const key = `signIn:pair:${limited.account}|`;
    await db().update(rateLimits).set({ resetsAt: sql`now()` }).where(eq(rateLimits.key, key));
    await consumeLimit('signIn', limited);
    expect(await keyed(key)).toMatchObject([{ count: 1 }]);
  });

  it('resets the account and uncounts the attempt of the address after a success', async () => {
    const [account, address] = [newId(), newAddress()];
    await tries(4, () => ({ account, address }));
    await resetLimit('signIn', { account, address });
    expect(await keyed(account)).toEqual([]);
    expect(await keyed(`address:${address}`)).toMatchObject([{ count: 3 }]);
  });

  it('ignores the case of the account, and is strict for accounts from unknown addresses', async () => {
    const account = `Ann-${newId()}@Example.com`;
    await consumeLimit('signIn', { account, address: '' });
    await consumeLimit('signIn', { account: account.toUpperCase(), address: '' });
    expect(await keyed(`signIn:pair:${account.toLowerCase()}|`)).toMatchObject([{ count: 2 }]);
    expect(await keyed(`signIn:account:${account.toLowerCase()}`)).toMatchObject([{ count: 2 }]);
    expect((await db().select().from(rateLimits)).some(({ key }) => key.endsWith(':address:'))).toBe(false);
  });
});

describe('guessing a password', () => {
  const attempt = (email: string, ip: string, password = 'not the password') =>
    inRequest({}, () =>
      signIn('user', { email, password, remember: false, code: '' }, { ip, userAgent: '', requestId: '' }).then(
        () => 'in',
        (error: Error) => error.message,
      ),
    );
  const refused = expect.stringMatching(/^Too many attempts/);

  it('from one address locks out only that address', async () => {
    const { email } = await makeAccount();
    const stranger = newAddress();
    for (let count = 0; count < perPair.max; count += 1) {
      expect(await attempt(email, stranger)).toBe('Invalid credentials.');
    }
    expect(await attempt(email, stranger, testPassword)).toEqual(refused);
    expect(await attempt(email, newAddress(), testPassword)).toBe('in');
  });

  it('from many addresses does not lock out the owner at known addresses', async () => {
    const { email, userId } = await makeAccount();
    const home = '2001:db8:5:5::1';
    expect(await attempt(email, home, testPassword)).toBe('in');
    const beyond = { key: `signIn:account:${email}`, count: perAccount.max, resetsAt: sql`now() + interval '1 hour'` };
    await db().insert(rateLimits).values(beyond);
    expect(await attempt(email, newAddress(), testPassword)).toEqual(refused);
    // Another device on the same network.
    expect(await attempt(email, '2001:db8:5:5::2', testPassword)).toBe('in');
    // A success resets the count; repeated with an address used long ago.
    await db().insert(rateLimits).values(beyond);
    await db().update(sessions).set({ createdAt: sql`now() - interval '31 days'` }).where(eq(sessions.userId, userId));
    expect(await attempt(email, home, testPassword)).toEqual(refused);
  });

  it('stays limited at an address that the owner uses', async () => {
    const { email } = await makeAccount();
    const home = newAddress();
    expect(await attempt(email, home, testPassword)).toBe('in');
    for (let count = 0; count < perPair.max; count += 1) await attempt(email, home);
    expect(await attempt(email, home, testPassword)).toEqual(refused);
  });

  it('is reset after the owner sets a new password by mail', async () => {
    const { email, userId } = await makeAccount();
    const beyond = { key: `signIn:account:${email}`, count: perAccount.max, resetsAt: sql`now() + interval '1 hour'` };
    await db().insert(rateLimits).values(beyond);
    const token = await createEmailToken(db(), userId, 'reset-password');
    await resetPassword(systemActor('Test', 'web', { ip: newAddress() }), token, 'a new and long password');
    expect(await attempt(email, newAddress(), 'a new and long password')).toBe('in');
  });
});
