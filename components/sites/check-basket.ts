import { ApiError } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import { findOnSale, freshPrices } from './fresh-prices';
import type { SelectedSite } from './selection-store';

export type BasketCheck = {
  /** The selection as it is now; null when nothing changed. */
  sites: readonly SelectedSite[] | null;
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** What a person should know before ordering. */
  notice: string | null;
};

const unchanged: BasketCheck = { sites: null, gone: [], notice: null };

/** Compares a selection with the catalogue. A failure is told, not thrown: the server reads the prices again anyway. */
export function checkBasket(selection: readonly SelectedSite[]): Promise<BasketCheck> {
  if (selection.length === 0) return Promise.resolve(unchanged);
  return orTold(async () => {
    const { sites, gone, changed } = await freshPrices(selection);
    if (changed.length === 0) return { ...unchanged, gone };
    return { sites, gone, notice: `Prices changed since you ticked them: ${changed.join(', ')}.` };
  });
}

/** Makes a selection of nothing but ids, as an address holds it. What is no longer on sale is left out and told. */
export function restoreBasket(ids: readonly number[]): Promise<BasketCheck> {
  return orTold(async () => {
    const sites = [...(await findOnSale(ids)).values()];
    const missing = ids.length - sites.length;
    const notice = `${missing === 1 ? 'One site' : `${missing} sites`} of this order can no longer be ordered.`;
    return { sites, gone: [], notice: missing > 0 ? notice : null };
  });
}

async function orTold(check: () => Promise<BasketCheck>): Promise<BasketCheck> {
  try {
    return await check().catch(redirectIfSignedOut);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const isRefused = cause.status === 401 || cause.status === 403;
    return { ...unchanged, notice: isRefused ? 'Auth failed' : 'Failed to load marketplace' };
  }
}
