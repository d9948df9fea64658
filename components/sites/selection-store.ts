import { newIdempotencyKey } from '@/lib/http/idempotency-key';
import type { Currency } from '@/lib/money';
import { readSession, writeSession } from '../shell/browser-session';

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
  /**
   * The Idempotency-Key for ordering these sites for this project: the same one again until something else is ordered
   * or `endAttempt` says that it is over, also after a reload. So an answer that was lost cannot charge twice.
   */
  attemptKey: (projectId: string, siteIds: readonly number[]) => string;
  endAttempt: () => void;
};

export const emptySelection: readonly SelectedSite[] = [];

/** What was sent for ordering last. */
type Attempt = { order: string; key: string };

const stores = new Map<string, SelectionStore>();

/**
 * The selection of one person in this tab. It outlives paging, filters, a reload and a visit to the wallet, and ends
 * with the tab.
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
  const attemptName = `marketplace_attempt_${userId}`;
  const listeners = new Set<() => void>();
  let sites: readonly SelectedSite[] | undefined;
  let attempt: Attempt | null | undefined;
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
      for (const listener of listeners) listener();
    },
    attemptKey: (projectId, siteIds) => {
      const order = JSON.stringify([projectId, ...siteIds]);
      if (attempt === undefined) attempt = loadAttempt(attemptName);
      if (attempt?.order !== order) {
        attempt = { order, key: newIdempotencyKey() };
        writeSession(attemptName, attempt);
      }
      return attempt.key;
    },
    endAttempt: () => {
      attempt = null;
      writeSession(attemptName, null);
    },
  };
}

function loadSites(name: string): readonly SelectedSite[] {
  const kept = readSession(name);
  return Array.isArray(kept) && kept.every(isSelectedSite) ? kept : emptySelection;
}

function loadAttempt(name: string): Attempt | null {
  const kept = readSession(name);
  if (typeof kept !== 'object' || kept === null) return null;
  const { order, key }: Partial<Record<string, unknown>> = { ...kept };
  return typeof order === 'string' && typeof key === 'string' ? { order, key } : null;
}

function isSelectedSite(value: unknown): value is SelectedSite {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, url, priceCents, currency, usdCents }: Partial<Record<string, unknown>> = { ...value };
  return (
    [id, priceCents, usdCents].every(Number.isSafeInteger) &&
    [name, url, currency].every((text) => typeof text === 'string')
  );
}
