import { readSession, writeSession } from '@/components/shell/browser-storage';
import type { Currency } from '@/lib/money';

/** A selected site, with the data that the order dialog shows; prices in minor units. */
export type SelectedSite = {
  id: number;
  name: string;
  url: string;
  priceCents: number;
  currency: Currency;
  usdCents: number;
};

export type SelectionStore = {
  subscribe: (listener: () => void) => () => void;
  /** Returns the same array until it changes, as useSyncExternalStore requires. */
  read: () => readonly SelectedSite[];
  write: (sites: readonly SelectedSite[]) => void;
  /** Whether the order dialog of the selection is open. */
  isOrdering: () => boolean;
  setOrdering: (isOrdering: boolean) => void;
};

export const emptySelection: readonly SelectedSite[] = [];

const stores = new Map<string, SelectionStore>();

/**
 * The selection of one user in this tab. It persists across paging, filters, a reload and a visit to the wallet, until
 * the tab closes.
 */
export function selectionStoreOf(userId: string): SelectionStore {
  const known = stores.get(userId);
  if (known) return known;
  const made = createStore(userId);
  stores.set(userId, made);
  return made;
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
