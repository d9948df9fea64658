import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getAdminOrder } from '@/lib/orders/order/queries';
import {
  adminOrderDetailsResponse,
  deleteOrderQuery,
  orderIdParams,
  updateOrderBody,
} from '@/lib/orders/order/schemas';
import { updateOrder } from '@/lib/orders/order/update';

const one = { access: 'ManageOrders', params: orderIdParams } as const;

export const GET = route(
  { ...one, summary: 'Returns an order.', response: adminOrderDetailsResponse, errors: ['not_found'] },
  async ({ params }) => adminOrderDetailsView(await getAdminOrder(params.id)),
);

export const PATCH = route(
  {
    ...one,
    summary: "Updates an order's status, link or comment.",
    description:
      'Omitted fields stay unchanged. The status Refunded returns what the buyer has paid. A live link that is delivered for a seller is checked first: a new comment says why it is delivered although it is not in order.',
    response: adminOrderDetailsResponse,
    errors: ['not_found', 'conflict', 'link_not_in_order'],
    body: updateOrderBody,
  },
  async ({ actor, params, body }) => {
    const order = await updateOrder(actor, params.id, body);
    deliverAfterResponse();
    return adminOrderDetailsView(order);
  },
);

export const DELETE = route(
  {
    ...one,
    summary: 'Removes an order from every list; no money moves.',
    errors: ['not_found', 'conflict'],
    query: deleteOrderQuery,
  },
  async ({ actor, params, query }) => deleteOrder(actor, params.id, query.version),
);
