import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { systemActor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { getWalletBalance, recalculateWallet } from '@/lib/ledger/balance';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';

const someone = systemActor('Test', 'script');
const brokenNow = async () =>
  (await verifyBooks()).checks
    .filter(({ broken }) => broken > 0)
    .map(({ name }) => name)
    .sort();
const stored = 'Stored balance equals the sum of the transfers';
const follows = 'Each balance follows from the previous one, except for recorded repairs';

/** Bypasses the writer, which only the owner of the tables can do. */
async function asOwner(write: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(env().MIGRATION_DATABASE_URL ?? '', { max: 1 });
  await write(sql);
  await sql.end();
}

/** Changes a stored balance directly. */
const damage = (owner: string, cents: number) =>
  asOwner(
    (sql) =>
      sql`update ledger.accounts set balance_cents = balance_cents + ${cents} where kind = 'wallet' and owner = ${owner}`,
  );

/**
 * Changes the amount of a transfer: impossible for every role of the app, and for the owner only without the trigger.
 */
const changeAmount = (owner: string, from: number, to: number) =>
  asOwner((sql) =>
    sql.begin(async (tx) => {
      await tx`alter table ledger.transfers disable trigger transfers_immutable`;
      await tx`update ledger.transfers set amount_cents = ${to}
        where amount_cents = ${from} and to_account = (select id from ledger.accounts where owner = ${owner})`;
      await tx`alter table ledger.transfers enable trigger transfers_immutable`;
    }),
  );

it('reports a damaged balance, and accepts it after a recorded repair', async () => {
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
  // The row after the repair starts with another balance than the row before it ended with.
  await fundWallet(userId, 500);
  await fundWallet(userId, 500);
  expect(await brokenNow()).toEqual([]);
});

it('accepts one repair of a balance damaged twice, before and after a transfer', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 5_000);
  await damage(userId, 300);
  await fundWallet(userId, 1_000);
  await damage(userId, 200);
  expect(await recalculateWallet(someone, userId)).toEqual({ storedCents: 6_500, derivedCents: 6_000 });
  await fundWallet(userId, 500);
  expect(await brokenNow()).toEqual([]);
});

it('does not accept a repair as the reason for a later changed amount', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 5_000);
  await damage(userId, 300);
  await fundWallet(userId, 1_000);
  await recalculateWallet(someone, userId);
  expect(await brokenNow()).toEqual([]);
  await changeAmount(userId, 5_000, 4_000);
  await damage(userId, -1_000);
  expect(await brokenNow()).toEqual(['A recorded repair set the balance to the sum of the transfers before it']);

  await changeAmount(userId, 4_000, 5_000);
  await damage(userId, 1_000);
  expect(await brokenNow()).toEqual([]);
});

it('names the amount to add first when an excess was spent, and changes nothing', async () => {
  const buyer = await makeUser();
  const { userId } = buyer;
  await fundWallet(userId, 1_000);
  await damage(userId, 3_000);
  await spendMoney(buyer, 2_500);
  await expect(recalculateWallet(someone, userId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('add $15.00 with a manual top-up'),
  });
  expect(await getWalletBalance(userId)).toBe(1_500);
  await fundWallet(userId, 1_500);
  expect(await recalculateWallet(someone, userId)).toEqual({ storedCents: 3_000, derivedCents: 0 });
  expect(await brokenNow()).toEqual([]);
});

it('does not accept an earlier repair as the reason for later damage', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 5_000);
  await damage(userId, 300);
  await recalculateWallet(someone, userId);
  await fundWallet(userId, 500);
  await damage(userId, -200);
  await fundWallet(userId, 500);
  expect(await brokenNow()).toEqual([follows, stored]);
});
