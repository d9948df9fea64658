import { withParams } from '../table/url';

/** Parameters of an address that brings a basket back: the project, and the sites with "." between. */
export const projectParam = 'checkout';
const sitesParam = 'sites';
/** Both, taken out. */
export const noBasket = { [projectParam]: null, [sitesParam]: null };

export type AddressedBasket = { projectId: string; siteIds: readonly number[] };

/** The address of a screen with a basket in it, so that it is there again in another tab and after a payment. */
export function basketAddress(
  pathname: string,
  params: URLSearchParams,
  { projectId, siteIds }: AddressedBasket,
): string {
  return withParams(pathname, params, { [projectParam]: projectId, [sitesParam]: siteIds.join('.') });
}

/** The basket that an address brings back; null for none. */
export function readBasketAddress(params: Pick<URLSearchParams, 'get'>): AddressedBasket | null {
  const projectId = params.get(projectParam) ?? '';
  const sites = params.get(sitesParam) ?? '';
  if (projectId === '' || !/^\d{1,9}(\.\d{1,9}){0,99}$/.test(sites)) return null;
  return { projectId, siteIds: [...new Set(sites.split('.').map(Number))] };
}
