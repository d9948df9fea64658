import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { deliverPlacement } from '@/lib/orders/placements/fulfill';
import { deliverBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Delivers an order: the page with the link is online.',
    description: 'The page must be on the domain of the ordered site.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict', 'unprocessable'],
    body: deliverBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) =>
      deliverPlacement(tx, actor, locked, { role: 'seller', url: body.url }),
    );
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
