import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { systemActor } from '@/lib/auth/actor';
import { env } from '@/lib/env';
import { getWalletBalance } from '@/lib/wallet/balance';

import { recalculateWallet } from '@/lib/wallet/recalculate';
import { verifyBooks } from '@/lib/wallet/verify-books';
import { fundWallet } from '../factories/fund-wallet';
import { makeUser } from '../factories/make-user';

const someone = systemActor('Test', 'script');
const brokenNow = async () =>
  (await verifyBooks()).checks
    .filter(({ broken }) => broken > 0)
    .map(({ name }) => name)
    .sort();
const stored = 'Stored balance equals the sum of the transfers';
const follows = 'Each balance follows from the one before, but for recorded repairs';

/** Changes a stored balance behind the books' back, as only the owner of the tables can. */
async function damage(owner: string, cents: number): Promise<void> {
  const sql = postgres(env().MIGRATION_DATABASE_URL ?? '', { max: 1 });
  await sql`update ledger.accounts set balance_cents = balance_cents + ${cents} where kind = 'wallet' and owner = ${owner}`;
  await sql.end();
}

it('finds a damaged balance, and is content once its repair is on record', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 5_000);
  await damage(userId, 300);
  await fundWallet(userId, 1_000);
  expect(await brokenNow()).toEqual([follows, stored]);

  expect(await recalculateWallet(someone, userId)).toEqual({ storedCents: 6_300, derivedCents: 6_000 });
  expect(await getWalletBalance(userId)).toBe(6_000);
  const [line] = await db().select().from(auditLogs).where(eq(auditLogs.action, 'wallet.repaired'));
  expect(line).toMatchObject({ before: { balanceCents: 6_300 }, after: { balanceCents: 6_000, version: 2 } });
  expect(await brokenNow()).toEqual([]);
  // The row after the repair starts from another balance than the row before it ended with.
  await fundWallet(userId, 500);
  await fundWallet(userId, 500);
  expect(await brokenNow()).toEqual([]);
});

it('does not take an earlier repair for the reason of later damage', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 5_000);
  await damage(userId, 300);
  await recalculateWallet(someone, userId);
  await fundWallet(userId, 500);
  await damage(userId, -200);
  await fundWallet(userId, 500);
  expect(await brokenNow()).toEqual([follows, stored]);
});
