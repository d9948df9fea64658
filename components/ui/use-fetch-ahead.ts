'use client';

import { useEffect } from 'react';

/** Milliseconds after which a page has what it needs to be used. */
const restMs = 3000;

/**
 * Fetches code that will be wanted once the page has come to rest: no first load pays for it, and the press that wants
 * it finds it there. What is lost now is asked for again by that press.
 * @param load the same function at each call, as `lazyPart` has it
 */
export function useFetchAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([load()]), restMs);
    return () => clearTimeout(timer);
  }, [load]);
}
