'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { readSession, writeSession } from '@/components/shell/browser-storage';
import { withParams } from '@/components/table/url';
import type { MarketplaceRow } from '@/lib/sites/views';
import { clearedBasketParams, parseBasketUrl, type UrlBasket } from './basket-url';

/** A selected site, with the data that the order dialog shows; prices in minor units. */
export type SelectedSite = Pick<MarketplaceRow, 'id' | 'name' | 'url' | 'priceCents' | 'currency' | 'usdCents'>;

type SelectionStore = {
  subscribe: (listener: () => void) => () => void;
  /** Returns the same array until it changes, as useSyncExternalStore requires. */
  read: () => readonly SelectedSite[];
  write: (sites: readonly SelectedSite[]) => void;
  /** Whether the order dialog of the selection is open. */
  isOrdering: () => boolean;
  setOrdering: (isOrdering: boolean) => void;
};

const emptySelection: readonly SelectedSite[] = [];

const stores = new Map<string, SelectionStore>();

/**
 * Returns the selection of one user in this tab. It persists across paging, filters, a reload and a visit to the
 * wallet, until the tab closes.
 */
function selectionStoreOf(userId: string): SelectionStore {
  const known = stores.get(userId);
  if (known) return known;
  const created = createStore(userId);
  stores.set(userId, created);
  return created;
}

function createStore(userId: string): SelectionStore {
  const sitesName = `marketplace_selection_${userId}`;
  const listeners = new Set<() => void>();
  let sites: readonly SelectedSite[] | undefined;
  let isOrdering = false;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => {
      sites ??= loadSites(sitesName);
      return sites;
    },
    write: (next) => {
      sites = next;
      writeSession(sitesName, next);
      notify();
    },
    isOrdering: () => isOrdering,
    setOrdering: (next) => {
      isOrdering = next;
      notify();
    },
  };
}

function loadSites(name: string): readonly SelectedSite[] {
  const stored = readSession(name);
  return Array.isArray(stored) && stored.every(isSelectedSite) ? stored : emptySelection;
}

function isSelectedSite(value: unknown): value is SelectedSite {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, url, priceCents, currency, usdCents }: Partial<Record<string, unknown>> = { ...value };
  return (
    [id, priceCents, usdCents].every(Number.isSafeInteger) &&
    [name, url, currency].every((text) => typeof text === 'string')
  );
}

export type Selection = Pick<SelectionStore, 'write'> & { sites: readonly SelectedSite[] };

const nothing = () => emptySelection;

/** Returns the sites selected in the marketplace or in Build Custom. Empty on the server and until hydration. */
export function useSelection(userId: string): Selection {
  const store = selectionStoreOf(userId);
  const sites = useSyncExternalStore(store.subscribe, store.read, nothing);
  return { sites, write: store.write };
}

const notOrdering = () => false;

/** Holds whether the order dialog of the selection is open: the selection bar and the drawer of a site open it. */
export function useOrdering(userId: string): [isOrdering: boolean, set: SelectionStore['setOrdering']] {
  const store = selectionStoreOf(userId);
  return [useSyncExternalStore(store.subscribe, store.isOrdering, notOrdering), store.setOrdering];
}

/**
 * Returns the basket in the URL when the screen opened; null for none. The hook removes it from the URL at once, so
 * that a reload does not restore an outdated basket.
 */
export function useUrlBasket(): UrlBasket | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const [basket] = useState(() => parseBasketUrl(params));
  useEffect(() => {
    if (!params.has('checkout')) return;
    window.history.replaceState(null, '', withParams(pathname, new URLSearchParams(params), clearedBasketParams));
  }, [pathname, params]);
  return basket;
}
