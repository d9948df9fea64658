import { route } from '@/lib/auth/route';
import { openContent } from '@/lib/orders/deliverables/content';
import { deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Downloads the file delivered for an order.',
    response: deliveredFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ params, request }) => {
    const order = await getAdminOrder(params.id);
    return attachmentResponse(await openContent(order.id), request.method);
  },
);
