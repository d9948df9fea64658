import { route } from '@/lib/auth/route';
import { openArticle } from '@/lib/orders/briefs/articles';
import { articleFile } from '@/lib/orders/deliverables/file-kind';
import { getSellerOrder } from '@/lib/orders/placements/seller-queries';
import { orderIdParams } from '@/lib/orders/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';

export const GET = route(
  {
    access: 'seller',
    summary: 'Downloads the article of a brief, for the seller of the placement.',
    response: articleFile,
    errors: ['not_found', 'provider_failed'],
    params: orderIdParams,
  },
  async ({ actor, params, request }) => {
    const order = await getSellerOrder(actor, params.id);
    return attachmentResponse(await openArticle(order.id), request.method);
  },
);
