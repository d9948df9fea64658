import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { newId } from '@/lib/ids';
import { consumeLimit, forgiveLimit } from '@/lib/limits/consume';
import { limits } from '@/lib/limits/limits';
import { settle } from '../factories/settle';

const { account: perAccount, address: perAddress } = limits.signIn;
const tries = (count: number, limited: () => { account: string; address: string }) =>
  settle(Array.from({ length: count }, () => consumeLimit('signIn', limited())));

describe('a limit', () => {
  it('lets exactly its number through of many tries at once', async () => {
    const account = newId();
    const { values, codes: refused } = await tries(perAccount.max + 25, () => ({ account, address: '' }));
    expect([values.length, refused.length]).toEqual([perAccount.max, 25]);
    expect(new Set(refused)).toEqual(new Set(['rate_limited']));
    await expect(consumeLimit('signIn', { account, address: '' })).rejects.toThrow(/^Too many attempts/);
  });

  it('counts an address over all accounts', async () => {
    const address = newId();
    const { values } = await tries(perAddress.max + 5, () => ({ account: newId(), address }));
    expect(values).toHaveLength(perAddress.max);
  });

  it('tells how long to wait, and opens when its window is over', async () => {
    const account = newId();
    await tries(perAccount.max, () => ({ account, address: '' }));
    await expect(consumeLimit('signIn', { account, address: '' })).rejects.toMatchObject({
      details: { retryAfterSeconds: expect.any(Number) },
    });
    await db()
      .update(rateLimits)
      .set({ resetsAt: sql`now()` })
      .where(eq(rateLimits.key, `signIn:account:${account}`));
    await consumeLimit('signIn', { account, address: '' });
    const [row] = await db()
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, `signIn:account:${account}`));
    expect(row?.count).toBe(1);
  });

  it('forgives an account everything and an address the one try that was right', async () => {
    const [account, address] = [newId(), newId()];
    await tries(4, () => ({ account, address }));
    await forgiveLimit('signIn', { account, address });
    const rows = await db().select().from(rateLimits);
    expect(rows.find(({ key }) => key.endsWith(account))).toBeUndefined();
    expect(rows.find(({ key }) => key.endsWith(address))?.count).toBe(3);
  });

  it('knows an account in any case, and does not count what is empty', async () => {
    const account = `Ann-${newId()}@Example.com`;
    await consumeLimit('signIn', { account, address: '' });
    await consumeLimit('signIn', { account: account.toUpperCase(), address: '' });
    const rows = await db().select().from(rateLimits);
    expect(rows.find(({ key }) => key === `signIn:account:${account.toLowerCase()}`)?.count).toBe(2);
    expect(rows.some(({ key }) => key.endsWith(':'))).toBe(false);
  });
});
