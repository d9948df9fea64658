'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

/** Where the browser is on its way to, from the press until the server has answered; null while it stays. */
let onItsWay: string | null = null;
let arrivedAt = '';

/** Notes a change of the address that was just asked for. */
export function headFor(href: string): void {
  onItsWay = href;
}

/** However the address came to change, what was asked for before is not on its way any more. */
function arrive(address: string): void {
  if (address !== arrivedAt) onItsWay = null;
  arrivedAt = address;
}

/**
 * The address that holds once everything on its way has arrived: what changes an address changes this one, so that of
 * two changes at once, such as a dialog that closes and a search that is typed, neither takes the other back.
 * @returns pathname and parameters
 */
export function useNextAddress(): () => { pathname: string; params: URLSearchParams } {
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const present = `${pathname}?${searchParams}`;
  useEffect(() => {
    arrive(present);
    // The list was left: whoever comes back to it later starts from what its address says then.
    return () => arrive('');
  }, [present]);
  return () => {
    const { pathname, searchParams: params } = new URL(onItsWay ?? present, window.location.href);
    return { pathname, params };
  };
}
