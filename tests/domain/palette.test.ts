import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { type Permission, permissions } from '@/lib/access/permissions';
import {
  type PaletteHit,
  paletteInput,
  searchBuyerRecords,
  searchPalette,
  searchSellerRecords,
} from '@/lib/search/palette';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { actorOf, makeUser } from '@/tests/factories/make-user';

const needed = {
  user: 'ManageUsers',
  order: 'ManageOrders',
  site: 'ManageSites',
} satisfies Partial<Record<PaletteHit['kind'], Permission>>;

it('finds only records that the user may open', async () => {
  await makeOrder(1_000);
  const { userId } = await makeUser('User');
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...permissions)), async (held) => {
      const staff = await actorOf(userId, ['AdminDashboard', ...held]);
      const kinds = new Set((await searchPalette(staff, { q: 'example' })).map(({ kind }) => kind));
      for (const [kind, permission] of Object.entries(needed)) {
        expect([...kinds].some((found) => found === kind)).toBe(held.includes(permission));
      }
      // Without AdminDashboard, other permissions have no effect.
      expect(
        await searchPalette(
          await actorOf(
            userId,
            held.filter((name) => name !== 'AdminDashboard'),
          ),
          { q: 'example' },
        ),
      ).toEqual([]);
    }),
    { numRuns: propertyRuns(20) },
  );
});

it('finds a user by email, an order by number and a site by name, and no deleted record', async () => {
  const admin = await makeUser('Admin');
  const { id, buyer } = await makeOrder(1_000);
  const seller = await makeUser('Seller');
  const site = await makeSite(seller.userId, 1_000, { name: 'Harbour Gazette' });
  await makeSite(seller.userId, 1_000, { name: 'Harbour Gazette of old', deletedAt: new Date() });
  expect(await searchPalette(admin, { q: buyer.email })).toContainEqual(
    expect.objectContaining({ kind: 'user', href: `/dashboard/features/users?user=${buyer.userId}` }),
  );
  expect(await searchPalette(admin, { q: `#${id}` })).toContainEqual(
    expect.objectContaining({ kind: 'order', href: `/dashboard/features/orders?order=${id}` }),
  );
  expect((await searchPalette(admin, { q: 'harbour gazette' })).filter(({ kind }) => kind === 'site')).toMatchObject([
    { href: `/dashboard/features/guest-posts?site=${site}` },
  ]);
  expect(await searchPalette(admin, { q: '100%_\\' })).toEqual([]);
});

it('requires two letters', () => {
  expect(paletteInput.safeParse({ q: ' a ' }).success).toBe(false);
  expect(paletteInput.parse({ q: ' ab ' })).toEqual({ q: 'ab' });
});

it('offers a top-up and a refund only to staff who may do them, and no refund of a refunded order', async () => {
  const { id, buyer } = await makeOrder(1_000);
  const { userId } = await makeUser('User');
  const actsOf = async (q: string, ...held: Permission[]) =>
    (await searchPalette(await actorOf(userId, ['AdminDashboard', ...held]), { q })).map(({ act }) => act?.href);
  expect(await actsOf(buyer.email, 'ManageUsers')).toEqual([undefined]);
  expect(await actsOf(buyer.email, 'ManageUsers', 'ManageWallets')).toEqual([
    `/dashboard/features/wallet-manager?topup=${buyer.userId}`,
  ]);
  expect(await actsOf(`#${id}`, 'ManageOrders')).toEqual([`/dashboard/features/orders?order=${id}&refund=1`]);
  await db().update(orders).set({ status: 'Refunded' }).where(eq(orders.id, id));
  expect(await actsOf(`#${id}`, 'ManageOrders')).toEqual([undefined]);
});

it('finds for buyers and sellers their own records only', async () => {
  const [{ id, buyer }, other] = [await makeOrder(1_000), await makeUser('User')];
  const project = await makeProject(buyer, { domain: 'orchard-tools.example.com' });
  const [seller, otherSeller] = [await makeUser('Seller'), await makeUser('Seller')];
  const site = await makeSite(seller.userId, 1_000, { name: 'Orchard Weekly' });
  const hrefs = async (found: Promise<PaletteHit[]>) => (await found).map(({ href }) => href);
  const owner = await actorOf(buyer.userId, []);
  expect(await hrefs(searchBuyerRecords(owner, { q: `#${id}` }))).toEqual([`/user/orders?order=${id}`]);
  expect(await hrefs(searchBuyerRecords(owner, { q: 'Orchard' }))).toEqual([`/user/projects/${project}`]);
  expect(await hrefs(searchSellerRecords(seller, { q: 'orchard' }))).toEqual([`/seller/my-sites?site=${site}`]);
  for (const q of ['orchard', `#${id}`]) {
    expect(await searchBuyerRecords(other, { q })).toEqual([]);
    expect(await searchSellerRecords(otherSeller, { q })).toEqual([]);
  }
});
