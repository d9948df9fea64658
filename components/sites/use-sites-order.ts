'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BriefsRequest } from '@/components/orders/brief-draft';
import type { OrderMessages } from '@/components/orders/order-failure';
import type { PlacedOrder } from '@/components/orders/send-order';
import { useSendOrder } from '@/components/orders/use-send-order';
import { type ProjectChoice, projectFieldName } from '@/components/projects/project-field';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { parseMoney } from '@/lib/money';
import type { AdminSiteView, PublicSiteView } from '@/lib/sites/views';
import { basketUrl, type UrlBasket } from './basket-url';
import { type SelectedSite, type Selection, useSelection } from './use-selection';

const unchanged: BasketCheck = { sites: null, gone: [], notice: null };

type SitesOrderOptions = {
  userId: string;
  basket: Selection;
  messages: OrderMessages;
  /** The basket of the URL, which fills an empty basket. */
  returned: UrlBasket | null;
  onDone: (placed: readonly PlacedOrder[]) => void;
};

/** Holds the state of an order of sites, one instance for each opening of the dialog. */
export function useSitesOrder({ userId, basket, messages, returned, onDone }: SitesOrderOptions) {
  const { sites, write } = basket;
  const selection = useSelection(userId);
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [notice, setNotice] = useState<string | null>(null);
  const [gone, setGone] = useState<readonly number[]>([]);
  const [ordered, setOrdered] = useState<readonly SelectedSite[] | null>(null);
  const isChecked = useRef(false);
  const isClosed = useRef(false);
  /** Disables ordering until the basket of the URL is loaded. */
  const [isRestoring, setIsRestoring] = useState(sites.length === 0 && returned !== null);

  const check = useCallback(async () => {
    const isLost = sites.length === 0 && returned !== null;
    const now = await (isLost ? restoreBasket(returned.siteIds) : checkBasket(sites));
    // The next opening may be for other sites.
    if (isClosed.current) return;
    setGone(now.gone);
    setNotice((before) => now.notice ?? before);
    if (now.sites) write(now.sites);
  }, [sites, write, returned]);

  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);

  // Runs once for each opening; later changes of the selection are made in the dialog.
  useEffect(() => {
    if (isChecked.current) return;
    isChecked.current = true;
    void check().finally(() => setIsRestoring(false));
  }, [check]);

  const order = useSendOrder({
    userId,
    messages,
    onStale: check,
    onDone: (placed) => {
      setOrdered(sites);
      write([]);
      // Also where they were ordered on their own: what is ordered is not selected any more.
      selection.write(selection.sites.filter(({ id }) => !sites.some((site) => site.id === id)));
      onDone(placed);
      router.refresh();
    },
  });

  const send = async ({ projectId, complaint }: ProjectChoice, briefs: BriefsRequest) => {
    if (sites.length === 0) return order.refuse('No site selected.');
    if (complaint) return order.refuse(complaint, projectFieldName);
    // Sorted, so that the same sites in another order are the same order.
    const siteIds = sites.map(({ id }) => id).sort((a, b) => a - b);
    const shownTotalCents = sites.reduce((sum, { usdCents }) => sum + usdCents, 0);
    const back = basketUrl(pathname, new URLSearchParams(params), { projectId, siteIds });
    await order.send({ kind: 'custom', projectId, siteIds, shownTotalCents, ...briefs }, back);
  };

  // After the order the ordered sites, until the dialog closes.
  return { ...order, sites: ordered ?? sites, pending: order.pending || isRestoring, notice, gone, send };
}

type BasketCheck = {
  /** The updated selection; null when nothing changed. */
  sites: readonly SelectedSite[] | null;
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** A message to show before ordering. */
  notice: string | null;
};

/**
 * Compares a selection with the catalogue. Reports a failure instead of throwing, because the server reads the prices
 * again anyway.
 */
function checkBasket(selection: readonly SelectedSite[]): Promise<BasketCheck> {
  if (selection.length === 0) return Promise.resolve(unchanged);
  return reportFailure(async () => {
    const onSale = await findOnSale(selection.map(({ id }) => id));
    const gone = selection.map(({ id }) => id).filter((id) => !onSale.has(id));
    const isChanged = ({ id, usdCents }: SelectedSite) => (onSale.get(id)?.usdCents ?? usdCents) !== usdCents;
    const changed = selection.filter(isChanged).map(({ name }) => name);
    if (changed.length === 0) return { ...unchanged, gone };
    const sites = selection.map((site) => ({ ...site, ...pricesOf(onSale.get(site.id) ?? site) }));
    return { sites, gone, notice: `Prices changed since you selected these sites: ${changed.join(', ')}.` };
  });
}

/** Creates a selection from the ids in a URL. Leaves out sites that are no longer on sale and reports them. */
function restoreBasket(ids: readonly number[]): Promise<BasketCheck> {
  return reportFailure(async () => {
    const sites = [...(await findOnSale(ids)).values()];
    const missing = ids.length - sites.length;
    const notice = `${missing === 1 ? 'One site' : `${missing} sites`} in this order can no longer be ordered.`;
    return { sites, gone: [], notice: missing > 0 ? notice : null };
  });
}

async function reportFailure(check: () => Promise<BasketCheck>): Promise<BasketCheck> {
  try {
    return await check().catch(redirectIfSignedOut);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const isRefused = cause.status === 401 || cause.status === 403;
    return { ...unchanged, notice: isRefused ? 'Auth failed' : 'Failed to load marketplace' };
  }
}

/** Finds the sites that can be ordered, by id. @throws ApiError */
async function findOnSale(ids: readonly number[]): Promise<Map<number, SelectedSite>> {
  const views = await apiFetch<(PublicSiteView | AdminSiteView)[]>(`/api/guest-posts?ids=${ids.join(',')}`);
  const found = views.map(asSelected).filter((site) => site !== null);
  return new Map(found.map((site) => [site.id, site]));
}

function pricesOf({ priceCents, currency, usdCents }: SelectedSite) {
  return { priceCents, currency, usdCents };
}

/**
 * Converts a site of the API. For staff who manage sites, the API returns every site, also those not on sale, with the
 * public price in another field.
 */
function asSelected(view: PublicSiteView | AdminSiteView): SelectedSite | null {
  const isAdminView = 'publicCurrency' in view;
  const priceCents = toCents(isAdminView ? view.publicPrice : view.price);
  const usdCents = toCents(view.priceUsd);
  if (view.status !== 'Approved' || priceCents === null || usdCents === null) return null;
  const { id, name, url } = view;
  const follow = isAdminView ? view.followType === 'DoFollow' : view.follow;
  return { id, name, url, follow, priceCents, usdCents, currency: isAdminView ? view.publicCurrency : view.currency };
}

function toCents(price: number | null): number | null {
  return price === null ? null : parseMoney(price);
}
