import { route } from '@/lib/auth/route';
import { orderView } from '@/lib/orders/contract';
import { getOrder } from '@/lib/orders/order/queries';
import { orderIdParams, orderResponse } from '@/lib/orders/order/schemas';

export const GET = route(
  {
    access: 'account:orders',
    params: orderIdParams,
    summary: "Returns one of the caller's own orders.",
    response: orderResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => orderView(await getOrder(actor, params.id)),
);
