'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { firstPage } from './page-params';
import { setPendingHref, useLatestUrl } from './pending-navigation';
import { type ParamChanges, withParams } from './url';

/**
 * Changes parameters of the URL, or of the pending navigation's URL, and resets the paging. `replace` adds no history
 * entry, for typing; a selection should add one. `pending` lasts until the server has responded.
 */
export function useParamChange(): {
  pending: boolean;
  change: (changes: ParamChanges, how?: 'push' | 'replace') => void;
} {
  const router = useRouter();
  const nextAddress = useLatestUrl();
  const [pending, startTransition] = useTransition();
  const change = (changes: ParamChanges, how: 'push' | 'replace' = 'push') => {
    const { pathname, params } = nextAddress();
    const href = withParams(pathname, params, { ...firstPage, ...changes });
    setPendingHref(href);
    startTransition(() => router[how](href, { scroll: false }));
  };
  return { pending, change };
}
