import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { actAsSeller } from '@/lib/orders/placements/act';
import { askForExtension } from '@/lib/orders/placements/extend';
import { extensionBody } from '@/lib/orders/placements/schemas';
import { sellerOrderView } from '@/lib/orders/placements/seller-queries';
import { sellerOrderResponse } from '@/lib/orders/responses';
import { orderIdParams } from '@/lib/orders/schemas';

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
