'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Returns false until hydration. A native submit before that would put the fields into the URL. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
