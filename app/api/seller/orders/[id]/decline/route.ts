import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { declineOffer } from '@/lib/orders/placements/fulfill';
import { declineBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Declines an offered order: the charge returns to the buyer.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict'],
    body: declineBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
      declineOffer(tx, actor, locked, { role: 'seller', reason: body.reason }),
    );
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
