'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { firstPage } from '@/components/table/page-params';
import { type ParamChanges, withParams } from '@/components/table/url';

/** The URL of a list of sites: its parameters, and the URLs with changed ones. */
export function useListUrl(ignored: readonly string[] = []) {
  const pathname = usePathname();
  const params = new URLSearchParams(useSearchParams());
  return {
    query: params.toString(),
    /** The values of a parameter. */
    read: (name: string): readonly string[] => (ignored.includes(name) ? [] : params.getAll(name).filter(Boolean)),
    /** The first page of the list with these changes. */
    hrefWith: (changes: ParamChanges) => withParams(pathname, params, { ...firstPage, ...changes }),
  };
}
