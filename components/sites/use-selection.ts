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

const notOrdering = () => false;

/** Whether the order dialog of the selection is open: the selection bar and the drawer of a site open it. */
export function useOrdering(userId: string): [isOrdering: boolean, set: SelectionStore['setOrdering']] {
  const store = selectionStoreOf(userId);
  return [useSyncExternalStore(store.subscribe, store.isOrdering, notOrdering), store.setOrdering];
}
