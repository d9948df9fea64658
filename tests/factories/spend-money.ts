import type { Actor } from '@/lib/access/actor';
import { createOrder } from '@/lib/orders/order/create';
import { makeProject } from './make-project';
import { makeSite } from './make-site';
import { makeUser } from './make-user';

/**
 * Spends USD cents of a buyer's wallet by an order of one site at that price. @returns the order's number
 * @throws AppError as createOrder does, e.g. for an insufficient balance
 */
export async function spendMoney(buyer: Actor, amountCents: number): Promise<number> {
  const siteId = await makeSite((await makeUser('Seller')).userId, amountCents);
  const projectId = await makeProject(buyer);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const [order] = orders;
  if (!order) throw new Error('No order was made.');
  return order.id;
}
