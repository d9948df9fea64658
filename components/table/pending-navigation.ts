'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

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
 * The URL after all pending navigations. A change of the URL starts from it, so that two changes at once, such as
 * closing a dialog and typing a search, do not undo each other.
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
