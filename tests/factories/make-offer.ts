import type { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from './fund-wallet';
import { makeProject } from './make-project';
import { makeSite } from './make-site';
import { makeUser } from './make-user';

export type Offer = { id: number; buyer: Actor; seller: Actor; siteId: number };

/**
 * Creates an order of one site that its owner fulfills, offered to the owner.
 * @param chargeCents the charge in USD cents; the seller's share is half of it, rounded down, unless `site` sets it
 * @param people existing users; by default, both are created
 */
export async function makeOffer(
  chargeCents = 10_000,
  site: Partial<typeof sites.$inferInsert> = {},
  people: { buyer?: Actor; seller?: Actor } = {},
): Promise<Offer> {
  const buyer = people.buyer ?? (await makeUser());
  const seller = people.seller ?? (await makeUser('Seller'));
  await fundWallet(buyer.accountId, chargeCents);
  const siteId = await makeSite(seller.userId, chargeCents, { isFulfilledByStaff: false, ...site });
  const projectId = await makeProject(buyer);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const [order] = orders;
  if (!order) throw new Error('No order was made.');
  return { id: order.id, buyer, seller, siteId };
}
