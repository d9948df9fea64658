'use client';

import { useSearchParams } from 'next/navigation';
import { type ParamChanges, withParams } from '@/components/table/url';
import { filtersInForce, firstPage, marketplacePath } from '../_filters';

/** The marketplace's address: what it says, and where its neighbours are. */
export function useAddress(ignored: readonly string[] = []) {
  const params = new URLSearchParams(useSearchParams());
  const read = (name: string) => (ignored.includes(name) ? '' : (params.get(name) ?? ''));
  return {
    query: params.toString(),
    read,
    inForce: filtersInForce(read),
    /** The first page of the list with these changes. */
    hrefWith: (changes: ParamChanges) => withParams(marketplacePath, params, { ...firstPage, ...changes }),
  };
}
