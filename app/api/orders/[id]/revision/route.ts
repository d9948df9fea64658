import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { orderView } from '@/lib/orders/contract';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { requestRevision } from '@/lib/orders/placements/review';
import { revisionBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    params: orderIdParams,
    summary: 'Sends a delivery back with a requested change.',
    response: orderResponse,
    errors: ['not_found', 'conflict'],
    body: revisionBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsBuyer(actor, params.id, body, (tx, locked) => requestRevision(tx, actor, locked, body));
    deliverAfterResponse();
    return orderView(order);
  },
);
