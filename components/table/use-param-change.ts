'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { headFor, useNextAddress } from './next-address';
import { type ParamChanges, withParams } from './url';

/**
 * Changes parameters of the address, of the one on its way where there is one, and goes back to page one (and to no
 * cursor). `replace` leaves no step for Back, which is right for typing; a choice deserves one. `pending` lasts until
 * the server has answered.
 */
export function useParamChange(): {
  pending: boolean;
  change: (changes: ParamChanges, how?: 'push' | 'replace') => void;
} {
  const router = useRouter();
  const nextAddress = useNextAddress();
  const [pending, startTransition] = useTransition();
  const change = (changes: ParamChanges, how: 'push' | 'replace' = 'push') => {
    const { pathname, params } = nextAddress();
    const href = withParams(pathname, params, { page: null, cursor: null, ...changes });
    headFor(href);
    startTransition(() => router[how](href, { scroll: false }));
  };
  return { pending, change };
}
