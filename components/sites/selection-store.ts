import type { Currency } from '@/lib/money';

/** A site somebody ticked, with what the order dialog shows of it; prices in minor units. */
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
  /** Stable until something changes, as useSyncExternalStore needs it. */
  read: () => readonly SelectedSite[];
  write: (sites: readonly SelectedSite[]) => void;
};

export const emptySelection: readonly SelectedSite[] = [];

const stores = new Map<string, SelectionStore>();

/**
 * The selection of one person in this tab. It outlives paging, filters, a reload and a visit to the wallet, and ends
 * with the tab.
 */
export function selectionStoreOf(userId: string): SelectionStore {
  const known = stores.get(userId);
  if (known) return known;
  const made = createStore(`marketplace_selection_${userId}`);
  stores.set(userId, made);
  return made;
}

function createStore(key: string): SelectionStore {
  const listeners = new Set<() => void>();
  let sites: readonly SelectedSite[] | undefined;
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => {
      sites ??= load(key);
      return sites;
    },
    write: (next) => {
      sites = next;
      keep(key, next);
      for (const listener of listeners) listener();
    },
  };
}

function load(key: string): readonly SelectedSite[] {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) && kept.every(isSelectedSite) ? kept : emptySelection;
  } catch {
    // Storage is switched off, or holds something else: start with nothing ticked.
    return emptySelection;
  }
}

function keep(key: string, sites: readonly SelectedSite[]): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(sites));
  } catch {
    // Storage is switched off or full: the selection then lasts as long as the page.
    return;
  }
}

function isSelectedSite(value: unknown): value is SelectedSite {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, url, priceCents, currency, usdCents }: Partial<Record<string, unknown>> = { ...value };
  return (
    [id, priceCents, usdCents].every(Number.isSafeInteger) &&
    [name, url, currency].every((text) => typeof text === 'string')
  );
}
