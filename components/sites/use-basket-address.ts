'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { withParams } from '../table/url';
import { type AddressedBasket, noBasket, readBasketAddress } from './basket-address';

/**
 * The basket in the URL when the screen opened; null for none. The hook removes it from the URL at once, so that a
 * reload does not restore an outdated basket.
 */
export function useBasketAddress(): AddressedBasket | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const [basket] = useState(() => readBasketAddress(params));
  useEffect(() => {
    if (!params.has('checkout')) return;
    window.history.replaceState(null, '', withParams(pathname, new URLSearchParams(params), noBasket));
  }, [pathname, params]);
  return basket;
}
