import { route } from '@/lib/auth/route';
import { suggestBody, suggestionResponse, suggestSnippet } from '@/lib/serp/suggest-snippet';

/** Suggests a title and a description within the pixel limits of search results. */
export const POST = route(
  {
    access: 'account:orders',
    scope: 'none',
    summary: 'Suggests a title and a description within the pixel limits of search results.',
    response: suggestionResponse,
    errors: ['rate_limited', 'not_configured'],
    body: suggestBody,
  },
  ({ actor, body }) => suggestSnippet(actor, body),
);
