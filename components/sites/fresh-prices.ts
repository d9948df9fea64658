import { apiFetch } from '@/lib/http/client';
import { parseMoney } from '@/lib/money';
import type { AdminSiteView, PublicSiteView } from '@/lib/sites/views';
import type { SelectedSite } from './selection-store';

type Prices = Pick<SelectedSite, 'priceCents' | 'currency' | 'usdCents'>;

export type FreshPrices = {
  /** The selection with the prices of now. */
  sites: SelectedSite[];
  /** Ids of sites that can no longer be ordered. */
  gone: number[];
  /** Names of sites whose price is another than when they were ticked. */
  changed: string[];
};

/** Asks the catalogue what the selected sites cost now. @throws ApiError */
export async function freshPrices(selection: readonly SelectedSite[]): Promise<FreshPrices> {
  const ids = selection.map(({ id }) => id).join(',');
  const views = await apiFetch<(PublicSiteView | AdminSiteView)[]>(`/api/guest-posts?ids=${ids}`);
  const priceById = new Map(views.map((view) => [view.id, pricesOf(view)]));
  const result: FreshPrices = { sites: [], gone: [], changed: [] };
  for (const site of selection) {
    const prices = priceById.get(site.id);
    if (!prices) result.gone.push(site.id);
    if (prices && prices.usdCents !== site.usdCents) result.changed.push(site.name);
    result.sites.push({ ...site, ...prices });
  }
  return result;
}

/** Staff who manage sites see every site, also those not on sale, and the public price under another name. */
function pricesOf(view: PublicSiteView | AdminSiteView): Prices | null {
  const isAdminView = 'publicCurrency' in view;
  const priceCents = toCents(isAdminView ? view.publicPrice : view.price);
  const usdCents = toCents(view.priceUsd);
  if (view.status !== 'Approved' || priceCents === null || usdCents === null) return null;
  return { priceCents, usdCents, currency: isAdminView ? view.publicCurrency : view.currency };
}

function toCents(price: number | null): number | null {
  return price === null ? null : parseMoney(price);
}
