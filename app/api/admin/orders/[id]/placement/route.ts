import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { actAsStaff, takeStaffAction } from '@/lib/orders/order/authorize';
import { adminOrderDetailsResponse, orderIdParams } from '@/lib/orders/order/schemas';
import { staffPlacementBody } from '@/lib/orders/placements/schemas';

export const POST = route(
  {
    access: 'ManageOrders',
    params: orderIdParams,
    summary: 'Acts on an order that a seller fulfills, for the seller or the buyer.',
    description: 'Declining and canceling return the charge to the buyer. Taking over ends the work of the seller.',
    response: adminOrderDetailsResponse,
    errors: ['not_found', 'conflict'],
    body: staffPlacementBody,
  },
  async ({ actor, params, body }) => {
    const order = await actAsStaff(actor, params.id, body, (tx, locked) => takeStaffAction(tx, actor, locked, body));
    deliverAfterResponse();
    return adminOrderDetailsView(order);
  },
);
