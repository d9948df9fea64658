import type { Sort } from '@/components/table/page-params';
import { SortHeader } from '@/components/table/sort-header';
import type { SearchParams } from '@/components/table/url';
import type { SiteSortKey } from '@/lib/sites/schemas';
import { marketplacePath } from '../_filters';

type Header = { label: string; title?: string; sortKey?: SiteSortKey; align?: 'left' | 'right' };

/** In the order of components/sites/site-table.module.css, from its second column on. */
const headers: readonly Header[] = [
  { label: 'Website', sortKey: 'name' },
  { label: 'Niche' },
  { label: 'Country' },
  { label: 'DR', title: 'Domain rating', sortKey: 'dr', align: 'right' },
  { label: 'DA', title: 'Domain authority', sortKey: 'da', align: 'right' },
  { label: 'AS', title: 'Authority score' },
  { label: 'Traffic', title: 'Visits a month', sortKey: 'traffic', align: 'right' },
  { label: 'Keywords', title: 'Keywords it ranks for' },
  { label: 'Ref. domains', title: 'Domains that link to it' },
  { label: 'Spam', title: 'Spam score' },
  { label: 'Link' },
  { label: 'Words', title: 'Words in an article' },
  { label: 'TAT', title: 'Turnaround time' },
  { label: 'Price', sortKey: 'price', align: 'right' },
];

/** The header cells; figures are mostly wanted from the top, prices and names from the bottom. */
export function SiteHeaders({ searchParams, sort }: { searchParams: SearchParams; sort: Sort<SiteSortKey> }) {
  return headers.map(({ label, title, sortKey, align = 'left' }) => (
    <th key={label} scope="col" title={title} aria-sort={ariaSort(sortKey, sort)}>
      {sortKey ? (
        <SortHeader
          pathname={marketplacePath}
          searchParams={searchParams}
          sortKey={sortKey}
          current={sort}
          firstOrder={sortKey === 'price' || sortKey === 'name' ? 'asc' : 'desc'}
          align={align}
        >
          {label}
        </SortHeader>
      ) : (
        label
      )}
    </th>
  ));
}

function ariaSort(key: SiteSortKey | undefined, sort: Sort<SiteSortKey>): 'ascending' | 'descending' | undefined {
  if (key !== sort.key) return undefined;
  return sort.order === 'asc' ? 'ascending' : 'descending';
}
