'use client';

import { useSyncExternalStore } from 'react';
import { readSession, writeSession } from '@/components/shell/browser-storage';
import type { MarketplaceRow } from '@/lib/sites/views';

/** A selected site, with the data that the order dialog shows; prices in minor units. */
export type SelectedSite = Pick<
  MarketplaceRow,
  'id' | 'name' | 'url' | 'follow' | 'priceCents' | 'currency' | 'usdCents'
>;

type SelectionStore = {
  subscribe: (listener: () => void) => () => void;
  /** Returns the same array until it changes, as useSyncExternalStore requires. */
  read: () => readonly SelectedSite[];
  write: (sites: readonly SelectedSite[]) => void;
  checkout: () => Checkout;
  setCheckout: (changes: Partial<Checkout>) => void;
};

/**
 * The order dialog of the marketplace. `sites` are ordered without being selected, e.g. the one site of the drawer; null
 * stands for the selection. They stay while the dialog closes.
 */
export type Checkout = { isOpen: boolean; sites: readonly SelectedSite[] | null };

const closed: Checkout = { isOpen: false, sites: null };

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
  let checkout = closed;
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
    checkout: () => checkout,
    setCheckout: (changes) => {
      checkout = { ...checkout, ...changes };
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
  const { id, name, url, follow, priceCents, currency, usdCents }: Partial<Record<string, unknown>> = { ...value };
  return (
    [id, priceCents, usdCents].every(Number.isSafeInteger) &&
    [name, url, currency].every((text) => typeof text === 'string') &&
    typeof follow === 'boolean'
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

const noCheckout = () => closed;

/** Holds the order dialog of the marketplace: the selection bar and the drawer of a site open it. */
export function useCheckout(userId: string): [checkout: Checkout, set: SelectionStore['setCheckout']] {
  const store = selectionStoreOf(userId);
  return [useSyncExternalStore(store.subscribe, store.checkout, noCheckout), store.setCheckout];
}
