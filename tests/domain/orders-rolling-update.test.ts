import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
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
