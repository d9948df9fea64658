import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { createOrder } from '@/lib/orders/create';
import { fundWallet } from '../factories/fund-wallet';
import { makeProject } from '../factories/make-project';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';
import { expectSoundBooks } from '../setup/expect-sound-books';

// While a newer version is rolled out its migrations stand already, and the older one goes on selling.

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

it('writes every column of an order that the schema has', async () => {
  const [{ definition }] = z
    .tuple([z.object({ definition: z.string() })])
    .parse([...(await db().execute(sql`select pg_get_functiondef('place_orders'::regproc) as definition`))]);
  const written = /INSERT INTO public\.orders \(([^)]+)\)/.exec(definition)?.[1] ?? '';
  const columns = await db().execute(
    sql`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'orders'`,
  );
  expect(written.split(',').map((name) => name.trim())).toEqual(
    expect.arrayContaining(columns.map(({ name }) => name)),
  );
});

it('goes on ordering when a later version has given orders a column that must not be empty', async () => {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 10_000);
  const asked = {
    kind: 'custom' as const,
    projectId: await makeProject(buyer),
    siteIds: [await makeSite((await makeUser('Seller')).userId, 2_500)],
  };
  await createOrder(buyer, asked);
  await owner`alter table orders add column later text not null default 'as before'`;
  await createOrder(buyer, asked);
  expect([...(await db().execute(sql`select later from orders`))]).toEqual([
    { later: 'as before' },
    { later: 'as before' },
  ]);
  await expectSoundBooks();
});
