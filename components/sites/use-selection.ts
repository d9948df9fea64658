'use client';

import { useSyncExternalStore } from 'react';
import { emptySelection, type SelectedSite, type SelectionStore, selectionStoreOf } from './selection-store';

export type Selection = Pick<SelectionStore, 'write'> & { sites: readonly SelectedSite[] };

const nothing = () => emptySelection;

/** The sites a person has ticked, in the marketplace or where an order is built; empty on the server and until the page is hydrated. */
export function useSelection(userId: string): Selection {
  const store = selectionStoreOf(userId);
  const sites = useSyncExternalStore(store.subscribe, store.read, nothing);
  return { sites, write: store.write };
}
