import { route } from '@/lib/auth/route';
import { getSellerOrder, sellerOrderView } from '@/lib/orders/placements/seller-queries';
import { sellerOrderResponse } from '@/lib/orders/responses';
import { orderIdParams } from '@/lib/orders/schemas';

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
