import 'server-only';
import { route } from '@/lib/auth/route';
import { openArticle } from '@/lib/orders/briefs/articles';
import { openContent } from '@/lib/orders/deliverables/content';
import { articleFile, deliveredFile } from '@/lib/orders/deliverables/file-kind';
import { getAdminOrder, getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { attachmentResponse } from '@/lib/platform/http/attachment-response';
import { sideAccess } from './room';

const files = {
  article: {
    response: articleFile,
    open: openArticle,
    buyer: "Downloads the article of a brief, for the order's buyer.",
    staff: 'Downloads the article of a brief, for staff.',
  },
  content: {
    response: deliveredFile,
    open: openContent,
    buyer: "Downloads the delivered file, for the order's buyer.",
    staff: 'Downloads the file delivered for an order.',
  },
};

/** Creates the route by which the buyer or staff downloads a file of an order. */
export function createDownloadRoute(side: 'buyer' | 'staff', kind: keyof typeof files) {
  const { response, open, [side]: summary } = files[kind];
  return route(
    { access: sideAccess[side], summary, response, errors: ['not_found', 'provider_failed'], params: orderIdParams },
    async ({ actor, params, request }) => {
      const { id } = side === 'staff' ? await getAdminOrder(params.id) : await getOrder(actor, params.id);
      return attachmentResponse(await open(id), request.method);
    },
  );
}
