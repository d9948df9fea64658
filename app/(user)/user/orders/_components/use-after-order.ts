'use client';

import { useRouter } from 'next/navigation';
import { ordersScreen } from './orders-address';

/** What follows an order of this screen: the list with it on top; or, where a price was old, the dialog with the new one. */
export function useAfterOrder() {
  const router = useRouter();
  return {
    done: () => {
      router.push(ordersScreen, { scroll: false });
      // The balance in the top bar belongs to the layout.
      router.refresh();
    },
    stale: () => router.refresh(),
  };
}
