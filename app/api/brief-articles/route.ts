import { route } from '@/lib/auth/route';
import { articleResponse, uploadArticle } from '@/lib/orders/briefs/articles';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { receiveFile } from '@/lib/platform/http/receive-file';

/** Uploads the article in the form field `file`. */
export const POST = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Uploads an article for the brief of an order.',
    description: 'An article that neither an order nor a cart names is removed after 7 days.',
    response: articleResponse,
    status: 201,
    errors: ['conflict', 'unsupported_type', 'provider_failed', 'rate_limited'],
    upload: { field: 'file', maxBytes: maxContentBytes },
  },
  async ({ actor, request }) =>
    receiveFile(request, { field: 'file', maxBytes: maxContentBytes, userId: actor.userId }, (file, name) =>
      uploadArticle(actor, file, name),
    ),
);
