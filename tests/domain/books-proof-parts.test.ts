import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recalculateWallet } from '@/lib/ledger/balance';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { brokenBy, startProof } from '@/tests/setup/broken-by';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const script = systemActor('Tests', 'script');
/** Changes a stored balance directly, which only the owner of the tables can do. */
const damage = (userId: string, cents: number) =>
  owner`update ledger.accounts set balance_cents = balance_cents + ${cents} where kind = 'wallet' and owner = ${userId}`;
/** Inserts a credit without the writer. */
const plant = (userId: string, version: number, balance: number) => owner`
  insert into ledger.transfers (id, key, kind, from_account, to_account, amount_cents, currency, to_version, to_balance_cents)
  values (${newId()}, ${newId()}, 'manual_topup', ledger.account_id('adjustments', '', 'USD'),
    ledger.account_id('wallet', ${userId}, 'USD'), 100, 'USD', ${version}, ${balance})`;
const failed = async (since: Awaited<ReturnType<typeof startProof>>) =>
  (await verifyBooks({ since })).checks.filter(({ broken }) => broken > 0).map(({ name }) => name);

const stored = 'Stored balance equals the sum of the transfers';
const storedVersion = 'Stored version equals the last transfer’s';

describe('the proof of what is new', () => {
  it('is sound for wallets with earlier transfers, and continues at their balances', async () => {
    const { buyer } = await makeOrder(1_000, 5_000);
    const since = await startProof();
    await spendMoney(buyer, 2_000);
    await fundWallet(buyer.userId, 300);
    expect(await failed(since)).toEqual([]);
    await rollUpLedger();
    await spendMoney(buyer, 100);
    expect(await failed(since)).toEqual([]);
    const whole = await verifyBooks();
    expect((await verifyBooks({ since })).totals).toEqual(whole.totals);
    expect(whole.isSound).toBe(true);
  });

  it('accepts a recorded repair', async () => {
    const { userId } = await makeUser();
    await fundWallet(userId, 5_000);
    await damage(userId, 300);
    const since = await startProof();
    await fundWallet(userId, 100);
    expect(await failed(since)).toContain(stored);
    await recalculateWallet(script, userId);
    await fundWallet(userId, 200);
    // The transfer between the damage and the repair was made before this proof.
    const next = await startProof();
    expect(await failed(next)).toEqual([]);
    await fundWallet(userId, 200);
    expect(await failed(next)).toEqual([]);
  });

  it('finds the changed balance of a wallet without new transfers', async () => {
    const { userId } = await makeUser();
    await fundWallet(userId, 1_000);
    expect(await brokenBy(() => damage(userId, 1))).toEqual([stored]);
    await damage(userId, -1);
  });

  it.each([
    ['that skips a version', 4, 1_100, ['Versions follow each other without a gap', stored, storedVersion]],
    [
      'with another balance',
      2,
      1_200,
      ['Each balance follows from the previous one, except for recorded repairs', stored, storedVersion],
    ],
  ])('finds a credit %s', async (_, version, balance, expected) => {
    const { userId } = await makeUser();
    await fundWallet(userId, 1_000);
    const found = await brokenBy(() => plant(userId, version, balance));
    expect([...found].sort()).toEqual([...expected].sort());
  });
});

it('the proof of everything finds a changed sum', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 1_000);
  await rollUpLedger();
  const sums = 'The rolled-up balances equal the sums of their transfers';
  const broken = async () => (await verifyBooks()).checks.find(({ name }) => name === sums)?.broken;
  const change = (cents: number) => owner`update account_rollups set balance_cents = balance_cents + ${cents}
    where account_id = (select id from ledger.accounts where kind = 'wallet' and owner = ${userId})`;
  await change(1);
  expect(await broken()).toBe(1);
  await change(-1);
  expect(await broken()).toBe(0);
});
