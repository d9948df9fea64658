'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { withParams } from '@/components/table/url';
import { clearedBasketParams, parseBasketUrl, type UrlBasket } from './basket-url';

/**
 * Returns the basket in the URL when the screen opened; null for none. The hook removes it from the URL at once, so
 * that a reload does not restore an outdated basket.
 */
export function useUrlBasket(): UrlBasket | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const [basket] = useState(() => parseBasketUrl(params));
  useEffect(() => {
    if (!params.has('checkout')) return;
    window.history.replaceState(null, '', withParams(pathname, new URLSearchParams(params), clearedBasketParams));
  }, [pathname, params]);
  return basket;
}

/** Checks whether a basket of the URL is the selection of this tab, which then stays the one place of its sites. */
export const isBasketOf = (sites: readonly { id: number }[], { siteIds }: UrlBasket): boolean =>
  sites.length === siteIds.length && sites.every(({ id }) => siteIds.includes(id));
