import { route } from '@/lib/auth/route';
import { getOrder } from '@/lib/orders/queries';
import { orderResponse } from '@/lib/orders/responses';
import { orderIdParams } from '@/lib/orders/schemas';
import { orderView } from '@/lib/orders/views';

export const GET = route(
  {
    access: 'session',
    params: orderIdParams,
    summary: "Returns one of the caller's own orders.",
    response: orderResponse,
    errors: ['not_found'],
  },
  async ({ actor, params }) => orderView(await getOrder(actor, params.id)),
);
