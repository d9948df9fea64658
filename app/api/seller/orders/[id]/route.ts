import { route } from '@/lib/auth/route';
import { orderIdParams, sellerOrderResponse } from '@/lib/orders/order/schemas';
import { getSellerOrder, sellerOrderView } from '@/lib/orders/order/seller-queries';

export const GET = route(
  {
    access: 'seller',
    params: orderIdParams,
    summary: 'Returns an order of a site of the seller.',
    response: sellerOrderResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => sellerOrderView(await getSellerOrder(actor, params.id)),
);
