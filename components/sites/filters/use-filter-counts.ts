'use client';

import { useEffect, useState } from 'react';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { FilterCounts } from '@/lib/sites/catalogue/filter-counts';
import { filterParams } from './filter-params';
import type { ReadParam } from './list-active-filters';

/**
 * The numbers of sites beside the filters, for the filters in the URL. While new ones load, the previous ones remain. They
 * are of the whole catalog, so there are none in the lists of favorites and hidden sites.
 * @param postType the post type of the list
 * @param isWanted whether a control that shows them is open
 */
export function useFilterCounts(read: ReadParam, postType: string | undefined, isWanted: boolean): FilterCounts | null {
  const params = new URLSearchParams(postType === undefined ? [] : [['postType', postType]]);
  for (const name of filterParams) for (const value of read(name)) params.append(name, value);
  const path = `/api/guest-posts/counts?${params}`;
  const [counts, setCounts] = useState<FilterCounts | null>(null);

  const isWhole = read('show').length === 0;

  useEffect(() => {
    if (!isWanted || !isWhole) return;
    let isCurrent = true;
    apiFetch<FilterCounts>(path).then(
      (loaded) => {
        if (isCurrent) setCounts(loaded);
      },
      (cause: unknown) => {
        if (!(cause instanceof ApiError)) throw cause;
        // The filters work without numbers, and outdated ones would mislead.
        if (isCurrent) setCounts(null);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, isWanted, isWhole]);

  return isWhole ? counts : null;
}
