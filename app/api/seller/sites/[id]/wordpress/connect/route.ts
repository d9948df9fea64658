import { route } from '@/lib/auth/route';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { startConnection } from '@/lib/sites/wordpress/connect';
import { callbackQuery, connectResponse } from '@/lib/sites/wordpress/contract';
import { returnFromWordPress } from '@/lib/sites/wordpress/return-route';

/** Receives the browser from the screen of WordPress, signed in or not, and redirects it at once. */
export const GET = route(
  {
    access: 'public',
    params: siteIdParams,
    query: callbackQuery,
    summary: 'Receives the browser from the screen of WordPress, and redirects it to My Sites with the `result`.',
    response: { mediaTypes: ['text/html'] },
    redirects: true,
  },
  ({ params, query, request, ip }) => returnFromWordPress(request, params.id, query, ip),
);

export const POST = route(
  {
    access: 'seller',
    scope: 'none',
    params: siteIdParams,
    summary:
      'Begins to connect one of the seller’s sites with WordPress: answers the screen on which its user approves.',
    response: connectResponse,
    errors: ['not_found', 'conflict', 'unprocessable', 'not_configured', 'provider_failed', 'rate_limited'],
  },
  ({ actor, params }) => startConnection(actor, params.id),
);
