'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

/** The URL of the pending navigation, until the server has responded; null for none. */
let onItsWay: string | null = null;
let arrivedAt = '';

/** Sets the URL of the pending navigation. */
export function headFor(href: string): void {
  onItsWay = href;
}

/** Clears the pending navigation after any change of the URL. */
function arrive(address: string): void {
  if (address !== arrivedAt) onItsWay = null;
  arrivedAt = address;
}

/**
 * The URL after all pending navigations. A change of the URL starts from it, so that two changes at once, such as
 * closing a dialog and typing a search, do not undo each other.
 * @returns pathname and parameters
 */
export function useNextAddress(): () => { pathname: string; params: URLSearchParams } {
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const present = `${pathname}?${searchParams}`;
  useEffect(() => {
    arrive(present);
    // The list was unmounted: the next visit starts from its own URL.
    return () => arrive('');
  }, [present]);
  return () => {
    const { pathname, searchParams: params } = new URL(onItsWay ?? present, window.location.href);
    return { pathname, params };
  };
}
