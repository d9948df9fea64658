import type { Actor } from '@/lib/access/actor';
import { fundWallet } from './fund-wallet';
import { makeUser } from './make-user';
import { spendMoney } from './spend-money';

/** Creates a paid order of one site at a price in USD cents. The buyer keeps `spareCents` in the wallet. */
export async function makeOrder(priceCents: number, spareCents = 0): Promise<{ id: number; buyer: Actor }> {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, priceCents + spareCents);
  return { id: await spendMoney(buyer, priceCents), buyer };
}
