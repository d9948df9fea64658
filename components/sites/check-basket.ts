import { ApiError } from '@/lib/http/client';
import { leaveIfSignedOut } from '@/lib/http/leave-if-signed-out';
import { freshPrices } from './fresh-prices';
import type { SelectedSite } from './selection-store';

export type BasketCheck = {
  /** The selection with the prices of now; null when nothing changed. */
  sites: readonly SelectedSite[] | null;
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** What a person should know before ordering. */
  notice: string | null;
};

/** Compares a selection with the catalogue. A failure is told, not thrown: the server reads the prices again anyway. */
export async function checkBasket(selection: readonly SelectedSite[]): Promise<BasketCheck> {
  if (selection.length === 0) return { sites: null, gone: [], notice: null };
  try {
    const { sites, gone, changed } = await freshPrices(selection).catch(leaveIfSignedOut);
    if (changed.length === 0) return { sites: null, gone, notice: null };
    return { sites, gone, notice: `Prices changed since you ticked them: ${changed.join(', ')}.` };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const isRefused = cause.status === 401 || cause.status === 403;
    return { sites: null, gone: [], notice: isRefused ? 'Auth failed' : 'Failed to load marketplace' };
  }
}
