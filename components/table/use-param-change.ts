'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import { firstPage, type ParamChanges, withParams } from './url';

/** The URL of the pending navigation, until the server has responded; null for none. */
let pendingHref: string | null = null;
let currentHref = '';

/** Sets the URL of the pending navigation. */
export function setPendingHref(href: string): void {
  pendingHref = href;
}

/** Clears the pending navigation after any change of the URL. */
function clearPendingHref(href: string): void {
  if (href !== currentHref) pendingHref = null;
  currentHref = href;
}

/** The number of controls of the list that use the URL. */
let users = 0;

/**
 * Returns the URL after all pending navigations. A change of the URL starts from it, so that two changes at once, such
 * as closing a dialog and typing a search, do not undo each other.
 * @returns pathname and parameters
 */
export function useLatestUrl(): () => { pathname: string; params: URLSearchParams } {
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const href = `${pathname}?${searchParams}`;
  useEffect(() => {
    users += 1;
    clearPendingHref(href);
    return () => {
      users -= 1;
      // The list was unmounted: the next visit starts from its own URL.
      if (users === 0) clearPendingHref('');
    };
  }, [href]);
  return () => {
    const { pathname, searchParams: params } = new URL(pendingHref ?? href, window.location.href);
    return { pathname, params };
  };
}

/**
 * Changes parameters of the URL, or of the pending navigation's URL, and resets the paging. `replace` adds no history
 * entry, for typing; a selection should add one. `pending` lasts until the server has responded.
 */
export function useParamChange(): {
  pending: boolean;
  change: (changes: ParamChanges, how?: 'push' | 'replace') => void;
} {
  const router = useRouter();
  const nextAddress = useLatestUrl();
  const [pending, startTransition] = useTransition();
  const change = (changes: ParamChanges, how: 'push' | 'replace' = 'push') => {
    const { pathname, params } = nextAddress();
    const href = withParams(pathname, params, { ...firstPage, ...changes });
    setPendingHref(href);
    startTransition(() => router[how](href, { scroll: false }));
  };
  return { pending, change };
}
