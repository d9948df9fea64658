'use client';

import { useSyncExternalStore } from 'react';
import { emptySelection, type SelectedSite, type SelectionStore, selectionStoreOf } from './selection-store';

export type Selection = Pick<SelectionStore, 'write' | 'attemptKey' | 'endAttempt'> & {
  sites: readonly SelectedSite[];
};

const nothing = () => emptySelection;

/** What a person has ticked in the marketplace; empty on the server and until the page is hydrated. */
export function useSelection(userId: string): Selection {
  const store = selectionStoreOf(userId);
  const sites = useSyncExternalStore(store.subscribe, store.read, nothing);
  return { sites, write: store.write, attemptKey: store.attemptKey, endAttempt: store.endAttempt };
}
