import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 8, onnotice: () => undefined });
beforeAll(() => owner`create unlogged table naive_wallet (balance_cents bigint not null)`);
afterAll(async () => {
  await owner`drop table naive_wallet`;
  await owner.end();
});

/** Twelve concurrent spends of 10.00 from a wallet of 50.00. @returns how many succeeded */
async function race(spend: () => Promise<boolean>): Promise<number> {
  const outcomes = await Promise.all(Array.from({ length: 12 }, spend));
  return outcomes.filter(Boolean).length;
}

it('of twelve concurrent spends with money for five, exactly five succeed', async () => {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 5_000);
  const spend = () =>
    spendMoney(buyer, 1_000).then(
      () => true,
      (thrown: unknown) => {
        if (thrown instanceof AppError && thrown.code === 'insufficient_funds') return false;
        throw thrown;
      },
    );
  expect(await race(spend)).toBe(5);
  expect(await getWalletBalance(buyer.userId)).toBe(0);
});

it('control: a wallet that is read and then written fails the same race', async () => {
  await owner`insert into naive_wallet values (5000)`;
  let reading = 12;
  let start: () => void = () => undefined;
  const allHaveRead = new Promise<void>((resolve) => {
    start = resolve;
  });
  const spend = async () => {
    const [wallet] = await owner<{ balance_cents: string }[]>`select balance_cents from naive_wallet`;
    reading -= 1;
    if (reading === 0) start();
    await allHaveRead;
    const left = Number(wallet?.balance_cents ?? 0) - 1_000;
    if (left < 0) return false;
    await owner`update naive_wallet set balance_cents = ${left}`;
    return true;
  };
  expect(await race(spend)).toBe(12);
  // Twelve times 10.00 were spent, and 40.00 are recorded as left: the first test would detect this.
  expect((await owner`select balance_cents from naive_wallet`)[0]?.balance_cents).toBe('4000');
});
