'use client';

import { useSyncExternalStore } from 'react';
import { emptySelection, type SelectedSite, selectionStoreOf } from './selection-store';

export type Selection = { sites: readonly SelectedSite[]; write: (sites: readonly SelectedSite[]) => void };

const nothing = () => emptySelection;

/** What a person has ticked in the marketplace; empty on the server and until the page is hydrated. */
export function useSelection(userId: string): Selection {
  const store = selectionStoreOf(userId);
  const sites = useSyncExternalStore(store.subscribe, store.read, nothing);
  return { sites, write: store.write };
}
