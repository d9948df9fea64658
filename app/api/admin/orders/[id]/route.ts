import { route } from '@/lib/http/route';
import { deliverSoon } from '@/lib/mail/deliver-soon';
import { adminOrderAnswer } from '@/lib/orders/answers';
import { deleteOrder } from '@/lib/orders/delete';
import { getAnyOrder } from '@/lib/orders/queries';
import { deleteOrderQuery, orderIdParams, updateOrderBody } from '@/lib/orders/schemas';
import { updateOrder } from '@/lib/orders/update';
import { adminOrderView } from '@/lib/orders/views';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'One order.',
    answer: adminOrderAnswer,
    errors: ['not_found'],
    params: orderIdParams,
  },
  async ({ params }) => adminOrderView(await getAnyOrder(params.id)),
);

export const PATCH = route(
  {
    access: 'ManageOrders',
    summary: "Changes an order's status, link or comment.",
    description: 'What is left out stays as it is. Refunded pays the buyer back.',
    answer: adminOrderAnswer,
    errors: ['not_found', 'conflict'],
    params: orderIdParams,
    body: updateOrderBody,
  },
  async ({ actor, params, body }) => {
    const order = await updateOrder(actor, params.id, body);
    deliverSoon();
    return adminOrderView(order);
  },
);

export const DELETE = route(
  {
    access: 'ManageOrders',
    summary: 'Deletes an order; what it cost is paid back.',
    errors: ['not_found', 'conflict'],
    params: orderIdParams,
    query: deleteOrderQuery,
  },
  async ({ actor, params, query }) => {
    await deleteOrder(actor, params.id, query.version);
  },
);
