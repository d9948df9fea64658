import { withParams } from '@/components/table/url';

/** The URL parameters of a basket: the project, and the site ids separated by ".". */
export const projectParam = 'checkout';
const sitesParam = 'sites';
/** Removes both parameters. */
export const clearedBasketParams = { [projectParam]: null, [sitesParam]: null };

export type UrlBasket = { projectId: string; siteIds: readonly number[] };

/** Returns the URL of a screen with a basket in it. It restores the basket in another tab and after a payment. */
export function basketUrl(pathname: string, params: URLSearchParams, { projectId, siteIds }: UrlBasket): string {
  return withParams(pathname, params, { [projectParam]: projectId, [sitesParam]: siteIds.join('.') });
}

/** Returns the basket in the URL; null for none. */
export function parseBasketUrl(params: Pick<URLSearchParams, 'get'>): UrlBasket | null {
  const projectId = params.get(projectParam) ?? '';
  const sites = params.get(sitesParam) ?? '';
  if (projectId === '' || !/^\d{1,9}(\.\d{1,9}){0,99}$/.test(sites)) return null;
  return { projectId, siteIds: [...new Set(sites.split('.').map(Number))] };
}
