import { apiFetch } from '@/lib/browser/api-client';
import { parseMoney } from '@/lib/money';
import type { AdminSiteView, PublicSiteView } from '@/lib/sites/views';
import type { SelectedSite } from './selection-store';

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
  const onSale = await findOnSale(selection.map(({ id }) => id));
  const result: FreshPrices = { sites: [], gone: [], changed: [] };
  for (const site of selection) {
    const now = onSale.get(site.id);
    if (!now) result.gone.push(site.id);
    if (now && now.usdCents !== site.usdCents) result.changed.push(site.name);
    result.sites.push(now ? { ...site, ...pricesOf(now) } : site);
  }
  return result;
}

/** Those of the sites that can be ordered now, by id. @throws ApiError */
export async function findOnSale(ids: readonly number[]): Promise<Map<number, SelectedSite>> {
  const views = await apiFetch<(PublicSiteView | AdminSiteView)[]>(`/api/guest-posts?ids=${ids.join(',')}`);
  const found = views.map(asSelected).filter((site) => site !== null);
  return new Map(found.map((site) => [site.id, site]));
}

function pricesOf({ priceCents, currency, usdCents }: SelectedSite) {
  return { priceCents, currency, usdCents };
}

/** Staff who manage sites see every site, also those not on sale, and the public price under another name. */
function asSelected(view: PublicSiteView | AdminSiteView): SelectedSite | null {
  const isAdminView = 'publicCurrency' in view;
  const priceCents = toCents(isAdminView ? view.publicPrice : view.price);
  const usdCents = toCents(view.priceUsd);
  if (view.status !== 'Approved' || priceCents === null || usdCents === null) return null;
  const { id, name, url } = view;
  return { id, name, url, priceCents, usdCents, currency: isAdminView ? view.publicCurrency : view.currency };
}

function toCents(price: number | null): number | null {
  return price === null ? null : parseMoney(price);
}
