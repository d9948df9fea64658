import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { sellerOrderView } from '@/lib/orders/order/seller-queries';
import { askForExtension } from '@/lib/orders/placements/fulfill';
import { extensionBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Asks the buyer for more days, once for each order.',
    response: sellerOrderResponse,
    errors: ['not_found', 'conflict'],
    body: extensionBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsSeller(actor, params.id, body, (tx, locked) => askForExtension(tx, actor, locked, body));
    deliverAfterResponse();
    return sellerOrderView(order);
  },
);
