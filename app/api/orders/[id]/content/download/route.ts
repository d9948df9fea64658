import { attachmentResponse } from '@/lib/content/attachment-response';
import { deliveredFile } from '@/lib/content/file-kind';
import { openContent } from '@/lib/content/open';
import { route } from '@/lib/http/route';
import { getOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';

/** The delivered content, for the order's buyer. */
export const GET = route(
  {
    access: 'session',
    summary: "The delivered file, for the order's buyer.",
    answer: deliveredFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ actor, params, request }) => {
    const order = await getOrder(actor, params.id);
    return attachmentResponse(await openContent(order.id), request.method);
  },
);
