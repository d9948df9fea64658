'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False until the page's script has taken over. A form sent before that would put its fields into the address. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
