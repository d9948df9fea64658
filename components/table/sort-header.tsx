import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Sort, SortOrder } from './page-params';
import { type SearchParams, withParams } from './url';

type SortHeaderProps = {
  pathname: string;
  searchParams: SearchParams;
  sortKey: string;
  current: Sort | undefined;
  firstOrder: SortOrder;
  align: 'left' | 'right' | 'center';
  children: ReactNode;
};

/** The link in a `<th>` that sorts by its column, and the other way round when it already does. Starts at page one. */
export function SortHeader(props: SortHeaderProps) {
  const { pathname, searchParams, sortKey, current, firstOrder, align, children } = props;
  const active = current?.key === sortKey;
  const reversed = current?.order === 'asc' ? 'desc' : 'asc';
  const order = active ? reversed : firstOrder;
  const Icon = !active ? ChevronsUpDown : current.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <Link
      prefetch={false}
      href={withParams(pathname, searchParams, { sort: sortKey, order, page: null })}
      scroll={false}
      className={`-mx-1 inline-flex h-7 items-center gap-1 rounded-sm px-1 transition-colors hover:text-ink ${align === 'right' ? 'flex-row-reverse' : ''} ${active ? 'text-ink' : ''}`}
    >
      {children}
      <Icon className={`size-3.5 ${active ? '' : 'text-control'}`} />
    </Link>
  );
}
