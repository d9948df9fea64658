'use client';

import { useRouter } from 'next/navigation';
import { startTransition, useOptimistic } from 'react';
import { headFor } from './next-address';

/**
 * The dialog of a record that the address names: `close` shuts it at once and leads to the list's address. Closed is
 * only what is on its way: as soon as the address has changed, or names the record again before that, the address alone
 * says what is open.
 */
export function useRecordClose(closeHref: string): { open: boolean; close: () => void } {
  const router = useRouter();
  const [isClosing, setClosing] = useOptimistic(false);
  const close = () =>
    startTransition(() => {
      setClosing(true);
      headFor(closeHref);
      router.push(closeHref, { scroll: false });
    });
  return { open: !isClosing, close };
}
