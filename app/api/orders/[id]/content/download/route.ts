import { route } from '@/lib/auth/route';
import { deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { openContent } from '@/lib/orders/deliverables/open';
import { getOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
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
