import { expect, it } from 'vitest';
import type { sites } from '@/db/schema/sites';
import { createOrder } from '@/lib/orders/order/create';
import { listSitesOfPublishers } from '@/lib/orders/order/create-placements';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

it('the marketplace names the publisher exactly for the sites whose orders are offered to their owners', async () => {
  const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
  const suspended = await makeUser('Seller', { status: 'Suspended' });
  const price = 1_000;
  const site = (ownerId: string, values: Partial<typeof sites.$inferInsert> = {}) =>
    makeSite(ownerId, price, { isFulfilledByStaff: false, ...values });
  const ids = [
    await site(seller.userId),
    await site(seller.userId, { sellerPriceCents: price }),
    await site(seller.userId, { sellerPriceCents: price + 1 }),
    await site(seller.userId, { sellerPriceCents: null }),
    await site(seller.userId, { sellerPriceCents: 0 }),
    await site(seller.userId, { isFulfilledByStaff: true }),
    await site(suspended.userId),
    await site((await makeUser('Admin')).userId),
    await site(buyer.userId),
  ];
  const named = await listSitesOfPublishers(buyer.userId, ids);
  expect([...named].sort()).toEqual(ids.slice(0, 2));
  await fundWallet(buyer.userId, ids.length * price);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId: await makeProject(buyer), siteIds: ids });
  expect(orders.map(({ placement }) => placement !== null)).toEqual(ids.map((id) => named.has(id)));
  expect(await listSitesOfPublishers(buyer.userId, [])).toEqual(new Set());
});
