import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { acceptOffer, declineOffer } from '@/lib/orders/placements/fulfill';
import { declineBody } from '@/lib/orders/placements/schemas';
import { answerOrders, answerOrdersBody, orderAnswer } from './answer-orders';
import { actAsSeller } from './authorize';

/** The body of POST /api/seller/orders/decline. */
export const declineOffersBody = answerOrdersBody.extend({
  reason: declineBody.shape.reason.optional().describe('Why the offers are declined; the buyers read it.'),
});

/** The response of POST /api/seller/orders/accept and /decline, in the order of the request. */
export const answeredOffersResponse = z.object({ results: z.array(orderAnswer) }).meta({ title: 'AnsweredOffers' });
type AnsweredOffers = z.output<typeof answeredOffersResponse>;

/** Accepts several offers of the seller. */
export const acceptOffers = (actor: Actor, input: z.output<typeof answerOrdersBody>): Promise<AnsweredOffers> =>
  answerOrders(input, async (id, version) => {
    const { placement } = await actAsSeller(actor, id, { version }, (tx, locked) =>
      acceptOffer(tx, actor, locked, { role: 'seller' }),
    );
    return { dueAt: placement.deliveryDueAt?.toISOString() ?? null };
  });

/** Declines several offers of the seller: the charges return to the buyers. */
export const declineOffers = (
  actor: Actor,
  { reason, ...input }: z.output<typeof declineOffersBody>,
): Promise<AnsweredOffers> =>
  answerOrders(input, async (id, version) => {
    await actAsSeller(actor, id, { version }, (tx, locked) =>
      declineOffer(tx, actor, locked, { role: 'seller', reason }),
    );
    return {};
  });
