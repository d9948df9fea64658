import { newId } from '@/lib/ids';
import { orderCart } from '@/lib/orders/carts/order';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { median } from './median';

/** Medians in milliseconds of ordering a cart of one and of 30 sites, and the highest accepted ratio of the two. */
export type CartRow = { what: string; oneMs: number; thirtyMs: number; limit: number };

const rounds = 15;

/** Compares a cart of 30 sites with briefs with one of one site: the call that orders it, without a request. */
export async function benchCarts(): Promise<CartRow[]> {
  const buyer = await makeUser();
  const projectId = await makeProject(buyer);
  await fundWallet(buyer.userId, 100_000_000_000);
  const makeSites = (isFulfilledByStaff: boolean) =>
    Promise.all(
      Array.from({ length: 30 }, async () =>
        makeSite((await makeUser('Seller')).userId, 1_000, { isFulfilledByStaff }),
      ),
    );
  const measure = async (siteIds: readonly number[]): Promise<number> => {
    const { id, version } = await openCart(buyer, projectId);
    const items = siteIds.map((siteId) => ({
      siteId,
      brief: {
        anchor: `garden tools ${siteId}`,
        targetUrl: `https://shop.example.com/${siteId}`,
        notes: 'In English.',
      },
    }));
    await saveCartItems(buyer, id, { items, version });
    const begin = performance.now();
    await orderCart(buyer, id, { allowDuplicates: true }, newId());
    return performance.now() - begin;
  };
  const rows: CartRow[] = [];
  for (const [what, isByStaff] of [
    ['sites with briefs that staff fulfill', true],
    ['sites with briefs of 30 sellers', false],
  ] as const) {
    const siteIds = await makeSites(isByStaff);
    const times = { one: [] as number[], thirty: [] as number[] };
    // The first rounds include plans and JIT compilation.
    for (let round = 0; round < 2 * rounds; round++) {
      const [one, thirty] = [await measure(siteIds.slice(0, 1)), await measure(siteIds)];
      if (round < rounds) continue;
      times.one.push(one);
      times.thirty.push(thirty);
    }
    rows.push({ what, oneMs: median(times.one), thirtyMs: median(times.thirty), limit: 4 });
  }
  return rows;
}
