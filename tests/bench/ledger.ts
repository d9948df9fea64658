import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { db } from '@/db/client';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { interleave } from './interleave';

/** A rate, a baseline of the same run, and the lowest accepted ratio of the two. */
export type BenchRow = { what: string; rate: number; baseline: number; limit: number };

const walletCount = 1_000;

/**
 * Compares a transfer and a whole paid order with a single UPDATE and commit through the same driver, on one hot wallet
 * with 8 connections and on 1,000 wallets with 32. Requires DATABASE_POOL_MAX=32 and an empty, migrated database.
 */
export async function benchLedger(): Promise<BenchRow[]> {
  const bare = postgres(env().MIGRATION_DATABASE_URL ?? env().DATABASE_URL, { max: 32, onnotice: () => undefined });
  await bare`create table bench_balances (id integer primary key, balance bigint not null)`;
  await bare`insert into bench_balances select n, 1000000000 from generate_series(1, ${walletCount}) as n`;
  const buyers = await Promise.all(
    Array.from({ length: walletCount }, async () => {
      const buyer = await makeUser();
      await fundWallet(buyer.userId, 100_000_000_000);
      return { buyer, projectId: await makeProject(buyer) };
    }),
  );
  const siteId = await makeSite((await makeUser('Seller')).userId, 1);
  await db().execute(sql`select 1`);

  const rows: BenchRow[] = [];
  for (const { where, workers, pick, limits } of [
    { where: 'one hot wallet, 8 connections', workers: 8, pick: () => 0, limits: { transfer: 0.24, order: 0.15 } },
    {
      where: '1,000 wallets, 32 connections',
      workers: 32,
      pick: () => Math.floor(Math.random() * walletCount),
      limits: { transfer: 0.21, order: 0.08 },
    },
  ]) {
    const at = () => buyers[pick()] ?? unreachableBuyer();
    const rates = await interleave(
      [
        {
          name: 'bare',
          run: () => bare`update bench_balances set balance = balance - 1 where id = ${pick() + 1}`,
        },
        {
          name: 'transfer',
          run: () =>
            postTransfer(db(), {
              key: newId(),
              kind: 'manual_topup',
              from: adjustmentsAccount,
              to: walletAccount(at().buyer.userId),
              amountCents: 1,
              currency: 'USD',
            }),
        },
        {
          name: 'order',
          run: () => {
            const { buyer, projectId } = at();
            return createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
          },
        },
      ],
      { workers, rounds: 3, sliceMs: 2_000 },
    );
    const baseline = rates.get('bare') ?? 0;
    for (const [name, what] of [
      ['transfer', 'a transfer'],
      ['order', 'a paid order'],
    ] as const) {
      const rate = rates.get(name) ?? 0;
      rows.push({ what: `${what}, ${where}`, rate, baseline, limit: limits[name] });
    }
  }
  await bare.end();
  if (!(await verifyBooks()).isSound) throw new Error('The books are not sound after the benchmark.');
  return rows;
}

function unreachableBuyer(): never {
  throw new Error('There is no such buyer.');
}
