'use client';

import { useEffect, useSyncExternalStore } from 'react';

/** The number of sites in each cart, by its id. */
export type CartCounts = Readonly<Record<string, number>>;

const none: CartCounts = {};
/** The counts as the server rendered them last, and those that changed since. */
let rendered = none;
let changed = none;
const listeners = new Set<() => void>();

function write(next: CartCounts): void {
  changed = next;
  for (const listener of listeners) listener();
}

function startFrom(counts: CartCounts): void {
  if (counts === rendered) return;
  rendered = counts;
  write(none);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the number of sites of a cart in the top bar, after a change on this page. */
export function setCartCount(cartId: string, count: number): void {
  if (changed[cartId] !== count) write({ ...changed, [cartId]: count });
}

/** Returns the number of sites in all carts. @param counts as the server rendered them */
export function useCartCount(counts: CartCounts): number {
  const since = useSyncExternalStore(
    subscribe,
    () => changed,
    () => none,
  );
  useEffect(() => startFrom(counts), [counts]);
  return Object.values({ ...counts, ...since }).reduce((sum, count) => sum + count, 0);
}

/** Formats a number of sites: "1 site", "3 sites". */
export const formatSites = (count: number): string => (count === 1 ? '1 site' : `${count} sites`);
