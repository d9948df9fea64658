import { type PageCursors, pageLinks } from './page-links';
import type { PageParams } from './page-params';
import { PageSteps } from './page-steps';
import { type SearchParams, withParams } from './url';

type PaginationProps = {
  /** Its name where a screen has two of them. */
  label?: string;
  pathname: string;
  searchParams: SearchParams;
  page: PageParams;
  /** How many there are over all pages. */
  total: number;
  /** The total stopped counting here: shown as "1,000+". */
  capped?: boolean;
  /** Far down they are used. */
  cursors?: PageCursors;
  /** Whether there is a next page, where the total does not say and there are no cursors. */
  goesOn?: boolean;
  sizes: readonly number[];
  defaultRows: number;
};

/** "1–25 of 312", rows per page, back and on; all of it in the address. */
export function Pagination(props: PaginationProps) {
  const { label = 'Pages', pathname, searchParams, page, total, capped, cursors, goesOn, sizes, defaultRows } = props;
  const { range, previous, next } = pageLinks(page, total, capped, cursors, goesOn);
  const hrefOf = (target: typeof next) =>
    target &&
    withParams(pathname, searchParams, { page: target.page === 1 ? null : target.page, cursor: target.cursor });
  return (
    <PageSteps
      label={label}
      range={range}
      total={`${total.toLocaleString('en-US')}${capped ? '+' : ''}`}
      previous={hrefOf(previous)}
      next={hrefOf(next)}
      rows={page.rows}
      sizes={sizes}
      defaultRows={defaultRows}
    />
  );
}
