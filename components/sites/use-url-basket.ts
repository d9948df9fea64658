'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { withParams } from '@/components/table/url';
import { clearedBasketParams, parseBasketUrl, type UrlBasket } from './basket-url';

/**
 * The basket in the URL when the screen opened; null for none. The hook removes it from the URL at once, so that a
 * reload does not restore an outdated basket.
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
