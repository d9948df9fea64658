import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Permission, permissions } from '@/lib/access/permissions';
import { type PaletteHit, paletteInput, searchPalette } from '@/lib/search/palette';
import { makeOrder } from '../factories/make-order';
import { makeSite } from '../factories/make-site';
import { actorOf, makeUser } from '../factories/make-user';

const needed: Record<PaletteHit['kind'], Permission> = {
  user: 'ManageUsers',
  order: 'ManageOrders',
  site: 'ManageSites',
};

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
    { numRuns: 20 },
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
