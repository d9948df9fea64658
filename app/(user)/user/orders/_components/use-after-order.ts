'use client';

import { useRouter } from 'next/navigation';
import { ordersPagePath } from './orders-url';

/**
 * Returns the callbacks after an order: `done` opens the list with the new order on top; `stale` reloads the dialog
 * with the new price.
 */
export function useAfterOrder() {
  const router = useRouter();
  return {
    done: () => {
      router.push(ordersPagePath, { scroll: false });
      // Updates the balance in the top bar, which belongs to the layout.
      router.refresh();
    },
    stale: () => router.refresh(),
  };
}
