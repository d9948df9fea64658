import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { approveDelivery } from '@/lib/orders/placements/review';
import { answerOrders, type answerOrdersBody, orderAnswer } from './answer-orders';
import { actAsBuyer } from './authorize';

/** The response of POST /api/orders/approve, in the order of the request. */
export const approveDeliveriesResponse = z
  .object({ results: z.array(orderAnswer.omit({ dueAt: true })) })
  .meta({ title: 'ApprovedDeliveries' });

/** Approves several deliveries of the buyer. */
export const approveDeliveries = (
  actor: Actor,
  input: z.output<typeof answerOrdersBody>,
): Promise<z.output<typeof approveDeliveriesResponse>> =>
  answerOrders(input, async (id, version) => {
    await actAsBuyer(actor, id, { version }, (tx, locked) => approveDelivery(tx, actor, locked, { role: 'buyer' }));
    return {};
  });
