'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { type ParamChanges, withParams } from '@/components/table/url';
import { firstPage } from './address-filters';

/** The URL of a list of sites: its parameters, and the URLs with changed ones. */
export function useAddress(ignored: readonly string[] = []) {
  const pathname = usePathname();
  const params = new URLSearchParams(useSearchParams());
  const read = (name: string) => (ignored.includes(name) ? '' : (params.get(name) ?? ''));
  return {
    query: params.toString(),
    read,
    /** The first page of the list with these changes. */
    hrefWith: (changes: ParamChanges) => withParams(pathname, params, { ...firstPage, ...changes }),
  };
}
