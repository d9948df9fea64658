import { route } from '@/lib/auth/route';
import { openArticleOfSeller } from '@/lib/orders/briefs/articles';
import { articleFile } from '@/lib/orders/deliverables/file-kind';
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
  async ({ actor, params, request }) => attachmentResponse(await openArticleOfSeller(actor, params.id), request.method),
);
