'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { SiteSortKey } from '@/lib/sites/columns';
import { withParams } from '../table/url';
import { LinkBusy } from '../ui/link-busy';

export type SiteSort = { key: SiteSortKey; order: 'asc' | 'desc' };

type Header = { label: string; title?: string; sortKey?: SiteSortKey };

/** In the order of site-table.module.css, from its second column on. */
const headers: readonly Header[] = [
  { label: 'Website', sortKey: 'name' },
  { label: 'Niche' },
  { label: 'Country' },
  { label: 'DR', title: 'Domain rating', sortKey: 'dr' },
  { label: 'DA', title: 'Domain authority', sortKey: 'da' },
  { label: 'AS', title: 'Authority score' },
  { label: 'Traffic', title: 'Visits a month', sortKey: 'traffic' },
  { label: 'Keywords', title: 'Keywords it ranks for' },
  { label: 'Ref. domains', title: 'Domains that link to it' },
  { label: 'Spam', title: 'Spam score' },
  { label: 'Link' },
  { label: 'Words', title: 'Words in an article' },
  { label: 'TAT', title: 'Turnaround time' },
  { label: 'Price', sortKey: 'price' },
];

/** The header cells; figures are mostly wanted from the top, prices and names from the bottom. */
export function SiteHeaders({ sort }: { sort: SiteSort }) {
  const pathname = usePathname();
  const params = new URLSearchParams(useSearchParams());
  const hrefOf = (key: SiteSortKey) => {
    const first = key === 'price' || key === 'name' ? 'asc' : 'desc';
    const order = key !== sort.key ? first : sort.order === 'asc' ? 'desc' : 'asc';
    return withParams(pathname, params, { sort: key, order, page: null, cursor: null });
  };
  return headers.map(({ label, title, sortKey }) => (
    <th key={label} scope="col" title={title} aria-sort={sortKey === sort.key ? `${sort.order}ending` : undefined}>
      {sortKey ? (
        <Link prefetch={false} href={hrefOf(sortKey)} scroll={false}>
          {label}
          <LinkBusy />
        </Link>
      ) : (
        label
      )}
    </th>
  ));
}
