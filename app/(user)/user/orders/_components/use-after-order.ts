'use client';

import { useRouter } from 'next/navigation';
import { toast } from '@/components/ui/toast';
import { ordersScreen } from './orders-address';
import { ordersWords } from './orders-words';

/** What follows an order of this screen: the list with it on top; or, where a price was old, the dialog with the new one. */
export function useAfterOrder() {
  const router = useRouter();
  return {
    done: () => {
      toast.success(ordersWords.done);
      router.push(ordersScreen, { scroll: false });
      // The balance in the top bar belongs to the layout.
      router.refresh();
    },
    stale: () => router.refresh(),
  };
}
