'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { type ParamChanges, withParams } from './url';

/**
 * Changes parameters of the present address and goes back to page one (and to no cursor). `replace` leaves no step for Back, which is
 * right for typing; a choice deserves one. `pending` lasts until the server has answered.
 */
export function useParamChange(): {
  pending: boolean;
  change: (changes: ParamChanges, how?: 'push' | 'replace') => void;
} {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [pending, startTransition] = useTransition();
  const change = (changes: ParamChanges, how: 'push' | 'replace' = 'push') => {
    const href = withParams(pathname, new URLSearchParams(searchParams), { page: null, cursor: null, ...changes });
    startTransition(() => router[how](href, { scroll: false }));
  };
  return { pending, change };
}
