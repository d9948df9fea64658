import { route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { attachContent } from '@/lib/orders/deliverables/content';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { deliveredContentResponse, orderIdParams } from '@/lib/orders/order/schemas';
import { receiveFile } from '@/lib/platform/http/receive-file';

/** Delivers the file in the form field `file`. It replaces an earlier one. */
export const POST = route(
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
);
