import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { orderView } from '@/lib/orders/contract';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { cancelPlacement } from '@/lib/orders/placements/review';
import { cancelBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    params: orderIdParams,
    summary: 'Cancels an order that a seller fulfills: the charge returns to the wallet.',
    description: 'Possible before the seller accepts, when the delivery is late, and when the seller agreed.',
    response: orderResponse,
    errors: ['not_found', 'conflict'],
    body: cancelBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
      cancelPlacement(tx, actor, locked, { role: 'buyer', reason: body.reason }),
    );
    deliverAfterResponse();
    return orderView(order);
  },
);
