import type { SiteCount } from './count-sites';

/** How an answer of GET /api/guest-posts tells its total; nothing where it was not counted. */
export function totalHeaders(counted: SiteCount | null): Record<string, string> {
  if (!counted) return {};
  return { 'X-Total-Count': String(counted.total), ...(counted.isCapped && { 'X-Total-Capped': 'true' }) };
}
