import { route } from '@/lib/http/route';
import { suggestBody } from '@/lib/serp/schemas';
import { suggestSnippet } from '@/lib/serp/suggest-snippet';

/** A title and a description for a page, within the pixel limits of search results. */
export const POST = route({ access: 'session', body: suggestBody }, ({ actor, body }) => suggestSnippet(actor, body));
