import { route } from '@/lib/auth/route';
import { openContent } from '@/lib/orders/deliverables/content';
import { deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

/** Downloads the delivered content of the caller's own order. */
export const GET = route(
  {
    access: 'session',
    summary: "Downloads the delivered file, for the order's buyer.",
    response: deliveredFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ actor, params, request }) => {
    const order = await getOrder(actor, params.id);
    return attachmentResponse(await openContent(order.id), request.method);
  },
);
