import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Sort, SortOrder } from './url';

/** What the header of a column shows (Column in data-table.tsx). */
type SortableColumn = { header: ReactNode; headerHidden?: boolean; sortKey?: string; firstOrder?: SortOrder };

type ColumnHeaderProps = {
  column: SortableColumn;
  /** The URL of the first page of the list without a sort order. */
  listHref: string;
  sort: Sort | undefined;
  /** The URL parameter of the direction, where `order` means something else. */
  orderParam?: string;
};

/** Renders a header; where it sorts, its link reverses the order of the sorted column, and leads to page one. */
export function ColumnHeader({ column, listHref, sort, orderParam = 'order' }: ColumnHeaderProps) {
  const { header, headerHidden, sortKey, firstOrder = 'asc' } = column;
  if (headerHidden) return <span className="sr-only">{header}</span>;
  if (!sortKey) return header;
  const reversed = sort?.order === 'asc' ? 'desc' : 'asc';
  const order = sort?.key === sortKey ? reversed : firstOrder;
  return (
    <Link
      prefetch={false}
      href={`${listHref}${listHref.includes('?') ? '&' : '?'}sort=${sortKey}&${orderParam}=${order}`}
      scroll={false}
      className="sort-link"
    >
      {header}
    </Link>
  );
}

/** Returns the state of a header for assistive technology; undefined where the list is not sorted by it. */
export function getAriaSort(column: SortableColumn, sort: Sort | undefined): 'ascending' | 'descending' | undefined {
  if (!column.sortKey || column.sortKey !== sort?.key) return undefined;
  return sort.order === 'asc' ? 'ascending' : 'descending';
}
