import { route } from '@/lib/http/route';
import { deliverSoon } from '@/lib/mail/deliver-soon';
import { deleteOrder } from '@/lib/orders/delete';
import { getAnyOrder } from '@/lib/orders/queries';
import { deleteOrderQuery, orderIdParams, updateOrderBody } from '@/lib/orders/schemas';
import { updateOrder } from '@/lib/orders/update';
import { adminOrderView } from '@/lib/orders/views';

export const GET = route({ access: 'ManageOrders', params: orderIdParams }, async ({ params }) =>
  adminOrderView(await getAnyOrder(params.id)),
);

export const PATCH = route(
  { access: 'ManageOrders', params: orderIdParams, body: updateOrderBody },
  async ({ actor, params, body }) => {
    const order = await updateOrder(actor, params.id, body);
    deliverSoon();
    return adminOrderView(order);
  },
);

export const DELETE = route(
  { access: 'ManageOrders', params: orderIdParams, query: deleteOrderQuery },
  async ({ actor, params, query }) => {
    await deleteOrder(actor, params.id, query.version);
    return { ok: true };
  },
);
