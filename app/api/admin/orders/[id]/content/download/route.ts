import { route } from '@/lib/auth/route';
import { deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { openContent } from '@/lib/orders/deliverables/open';
import { getAdminOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
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
