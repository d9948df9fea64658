import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { openArticle } from '@/lib/orders/briefs/articles';
import { formatState, formerStates } from '@/lib/orders/contract';
import { articleFile } from '@/lib/orders/deliverables/file-kind';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { getSellerOrder } from '@/lib/orders/order/seller-queries';
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
    const { id, placement } = await getSellerOrder(actor, params.id);
    if (formerStates.includes(placement.state)) {
      throw new AppError(
        'not_found',
        `Order #${id} is ${formatState(placement.state)}: its article can no longer be downloaded.`,
      );
    }
    return attachmentResponse(await openArticle(id), request.method);
  },
);
