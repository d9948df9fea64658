import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { orderView } from '@/lib/orders/contract';
import { actAsBuyer } from '@/lib/orders/order/authorize';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';
import { approveDelivery } from '@/lib/orders/placements/review';
import { versionBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'session',
    scope: 'orders:write',
    params: orderIdParams,
    summary: 'Approves a delivery: the seller earns the price.',
    response: orderResponse,
    errors: ['not_found', 'conflict'],
    body: versionBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsBuyer(actor, params.id, body, (tx, locked) =>
      approveDelivery(tx, actor, locked, { role: 'buyer' }),
    );
    deliverAfterResponse();
    return orderView(order);
  },
);
