import { formatCount } from '@/components/ui/format-count';
import { type PageCursors, pageLinks } from './page-links';
import type { PageParams } from './page-params';
import { PaginationControls } from './pagination-controls';
import { type SearchParams, withParams } from './url';

type PaginationProps = {
  /** The accessible name, where a screen has two of them. */
  label?: string;
  pathname: string;
  searchParams: SearchParams;
  page: PageParams;
  /** The number of rows over all pages. */
  total: number;
  /** Whether the total is a lower bound, shown as "1,000+". */
  capped?: boolean;
  /** Used for pages with a large offset. */
  cursors?: PageCursors;
  sizes: readonly number[];
  defaultRows: number;
};

/** "1–25 of 312", the page size, and the Previous and Next links. The URL holds the state. */
export function Pagination(props: PaginationProps) {
  const { label = 'Pages', pathname, searchParams, page, total, capped, cursors, sizes, defaultRows } = props;
  const { range, previous, next, last } = pageLinks(page, total, capped, cursors);
  const hrefOf = (target: typeof next) =>
    target &&
    withParams(pathname, searchParams, { page: target.page === 1 ? null : target.page, cursor: target.cursor });
  return (
    <PaginationControls
      label={label}
      range={range}
      total={formatCount({ total, isCapped: capped === true })}
      previous={hrefOf(previous)}
      next={hrefOf(next)}
      last={hrefOf(last)}
      rows={page.rows}
      sizes={sizes}
      defaultRows={defaultRows}
    />
  );
}
