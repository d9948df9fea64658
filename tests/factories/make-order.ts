import type { Actor } from '@/lib/auth/actor';
import { createOrder } from '@/lib/orders/create';
import { fundWallet } from './fund-wallet';
import { makeProject } from './make-project';
import { makeSite } from './make-site';
import { makeUser } from './make-user';

/** A paid order of one site at a price in USD cents; its buyer keeps `spareCents` besides. */
export async function makeOrder(priceCents: number, spareCents = 0): Promise<{ id: number; buyer: Actor }> {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, priceCents + spareCents);
  const siteId = await makeSite((await makeUser('Seller')).userId, priceCents);
  const projectId = await makeProject(buyer);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const [order] = orders;
  if (!order) throw new Error('No order was made.');
  return { id: order.id, buyer };
}
