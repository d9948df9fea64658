import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { attachContent } from '@/lib/orders/deliverables/content';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { createCheckRoutes } from '@/lib/orders/link-checks/routes';
import { listMessagesRoute, postMessageRoute } from '@/lib/orders/messages/routes';
import { takeStaffAction } from '@/lib/orders/order/authorize';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { adminOrderDetailsResponse, deliveredContentResponse, orderIdParams } from '@/lib/orders/order/schemas';
import { staffPlacementBody } from '@/lib/orders/placements/schemas';
import { receiveFile } from '@/lib/platform/http/receive-file';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  checks: createCheckRoutes('staff'),
  content: {
    /** Delivers the file in the form field `file`. It replaces an earlier one. */
    POST: route(
      {
        access: 'ManageOrders',
        summary: "Uploads an order's file; replaces an earlier one.",
        response: deliveredContentResponse,
        status: 201,
        errors: ['not_found', 'unsupported_type', 'provider_failed'],
        upload: { field: 'file', maxBytes: maxContentBytes },
        params: orderIdParams,
      },
      async ({ actor, params, request }) => {
        const content = await receiveFile(
          request,
          { field: 'file', maxBytes: maxContentBytes, userId: actor.userId },
          (file, name) => attachContent(actor, params.id, file, name),
        );
        deliverAfterResponse();
        return { content, order: adminOrderDetailsView(await getAdminOrder(params.id)) };
      },
    ),
  },
  messages: { GET: listMessagesRoute('staff'), POST: postMessageRoute('staff') },
  placement: {
    POST: route(
      {
        access: 'ManageOrders',
        params: orderIdParams,
        summary: 'Acts on an order that a seller fulfills, for the seller or the buyer.',
        description:
          'Declining and canceling return the charge to the buyer. Taking over ends the work of the seller. A page is checked before it is delivered: `reason` delivers one whose link is not in order.',
        response: adminOrderDetailsResponse,
        errors: ['not_found', 'conflict', 'link_not_in_order'],
        body: staffPlacementBody,
      },
      async ({ actor, params, body }) => {
        const order = await takeStaffAction(actor, params.id, body);
        deliverAfterResponse();
        return adminOrderDetailsView(order);
      },
    ),
  },
});
