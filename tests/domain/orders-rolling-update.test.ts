import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

// During a rolling update, the new version's migrations are applied while the old version still takes orders.

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

it('creates orders when a later version added a required column to orders', async () => {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 10_000);
  const input = {
    kind: 'custom' as const,
    projectId: await makeProject(buyer),
    siteIds: [await makeSite((await makeUser('Seller')).userId, 2_500)],
  };
  await createOrder(buyer, input);
  await owner`alter table orders add column later text not null default 'as before'`;
  await createOrder(buyer, input);
  expect([...(await db().execute(sql`select later from orders`))]).toEqual([
    { later: 'as before' },
    { later: 'as before' },
  ]);
  await expectSoundBooks();
});
