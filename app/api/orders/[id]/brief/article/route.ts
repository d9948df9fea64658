import { route } from '@/lib/auth/route';
import { openArticle } from '@/lib/orders/briefs/articles';
import { articleFile } from '@/lib/orders/deliverables/file-kind';
import { getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const GET = route(
  {
    access: 'session',
    summary: "Downloads the article of a brief, for the order's buyer.",
    response: articleFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ actor, params, request }) => {
    const order = await getOrder(actor, params.id);
    return attachmentResponse(await openArticle(order.id), request.method);
  },
);
