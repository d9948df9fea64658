import type { Actor } from '@/lib/access/actor';
import { openDispute } from '@/lib/orders/disputes/open';
import { makePlacement } from './make-placement';

type Options = Omit<NonNullable<Parameters<typeof makePlacement>[1]>, 'buyerPercent'>;
export type MadeDispute = { id: string; orderId: number; buyer: Actor; seller: Actor };

/** Creates a placement in a state, whose buyer opens a dispute. */
export async function makeDispute(
  state: 'delivered' | 'in_revision' | 'approved' = 'delivered',
  options: Options = {},
): Promise<MadeDispute> {
  const { id: orderId, buyer, seller } = await makePlacement(state, options);
  const { id } = await openDispute(buyer, orderId, 'buyer', { reason: 'other', text: 'The anchor differs.' });
  return { id, orderId, buyer, seller };
}
