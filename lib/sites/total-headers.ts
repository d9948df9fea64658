import { totalCount } from '../http/answer-headers';
import type { SiteCount } from './count-sites';

/** What a list of sites says beside its rows. */
export const listHeaders = {
  ...totalCount,
  'X-Total-Capped': 'true where more than X-Total-Count match.',
  'X-Next-Cursor': 'The `cursor` of the next page; left out on the last one.',
};

/** How an answer of GET /api/guest-posts tells its total; nothing where it was not counted. */
export function totalHeaders(counted: SiteCount | null): Record<string, string> {
  if (!counted) return {};
  return { 'X-Total-Count': String(counted.total), ...(counted.isCapped && { 'X-Total-Capped': 'true' }) };
}
