import { attachmentResponse } from '@/lib/content/attachment-response';
import { deliveredFile } from '@/lib/content/file-kind';
import { openContent } from '@/lib/content/open';
import { route } from '@/lib/http/route';
import { getAnyOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';

export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'The file that was delivered for an order.',
    answer: deliveredFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ params, request }) => {
    const order = await getAnyOrder(params.id);
    return attachmentResponse(await openContent(order.id), request.method);
  },
);
