'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { withParams } from '../table/url';
import { type AddressedBasket, noBasket, readBasketAddress } from './basket-address';

/**
 * The basket that the address brings back, as it was when the screen opened; null for none. It is taken out of the
 * address at once, so that a reload does not bring back what was changed since.
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
