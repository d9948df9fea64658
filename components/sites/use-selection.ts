'use client';

import { useSyncExternalStore } from 'react';
import { emptySelection, type SelectedSite, type SelectionStore, selectionStoreOf } from './selection-store';

export type Selection = Pick<SelectionStore, 'write'> & { sites: readonly SelectedSite[] };

const nothing = () => emptySelection;

/**
 * The sites that the user has selected, in the marketplace or in Build Custom. Empty on the server and until hydration.
 */
export function useSelection(userId: string): Selection {
  const store = selectionStoreOf(userId);
  const sites = useSyncExternalStore(store.subscribe, store.read, nothing);
  return { sites, write: store.write };
}
