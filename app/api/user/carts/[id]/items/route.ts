import { route } from '@/lib/auth/route';
import { cartIdParams, cartResponse, saveCartItemsBody } from '@/lib/orders/carts/contract';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { maxOrderBytes } from '@/lib/orders/order/schemas';

export const PUT = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Replaces the sites of a cart with their briefs.',
    description:
      'The whole list, in its order. A site without `brief` has an empty one. An added site must be on sale. An old `version` is refused.',
    params: cartIdParams,
    body: saveCartItemsBody,
    maxBodyBytes: maxOrderBytes,
    response: cartResponse,
    errors: ['not_found', 'conflict'],
  },
  ({ actor, params, body }) => saveCartItems(actor, params.id, body),
);
