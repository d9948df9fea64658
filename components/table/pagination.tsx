import { formatCount } from '@/components/ui/format';
import { PaginationControls } from './pagination-controls';
import { type PageParams, type SearchParams, withParams } from './url';

/** The cursors of the neighbouring pages, for lists with keyset pagination. */
export type PageCursors = { next: string | null; previous: string | null };

/** The number of rows of a list as its query returns it, and the cursors of the neighbouring pages if it has them. */
export type Counted = {
  total: number;
  /** Whether the total is a lower bound, shown as "1,000+". */
  isCapped?: boolean;
  next?: string | null;
  previous?: string | null;
};

type Target = { page: number; cursor: string | null };

type PageLinks = {
  /** The numbers of the rows shown, "1–25"; "last 25" counted from the end; "0" beyond the end. */
  range: string;
  previous: Target | null;
  next: Target | null;
  last: Target | null;
};

type Place = Pick<PageParams, 'page' | 'rows' | 'offset' | 'readsFromEnd'>;

/** From this offset on, pages use cursors, because the cost of OFFSET grows with it. */
const deepRows = 1_000;

/**
 * Returns the links to the neighbouring pages of a list, and to its last page. After the last page of a list whose rows
 * are not all counted, page numbers are negative: -1 is the last page, -2 the one before it.
 * @param total the number of rows; a lower bound when `capped`
 * @param cursors the neighbours' cursors; a null `next` ends the list
 */
export function pageLinks(page: Place, total: number, capped = false, cursors?: PageCursors): PageLinks {
  if (page.page < 0) return pageLinksFromEnd(page, cursors);
  const to = (target: number, cursor: string | null | undefined): Target => ({
    page: target,
    cursor: (target - 1) * page.rows >= deepRows ? (cursor ?? null) : null,
  });
  const lastPage = capped ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(total / page.rows));
  const hasNext = cursors ? cursors.next !== null : page.page < lastPage;
  const first = total === 0 ? 0 : page.offset + 1;
  const last = capped ? page.offset + page.rows : Math.min(page.offset + page.rows, total);
  return {
    range: first > total && !capped ? '0' : `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')}`,
    // Past the end (an old URL): Previous leads to the last page.
    previous: page.page > 1 ? to(Math.min(page.page - 1, lastPage), cursors?.previous) : null,
    next: hasNext ? to(page.page + 1, cursors?.next) : null,
    last: hasNext ? getLastPage(lastPage, page) : null,
  };
}

function getLastPage(lastPage: number, { readsFromEnd }: Place): Target | null {
  if (Number.isFinite(lastPage)) return { page: lastPage, cursor: null };
  return readsFromEnd ? { page: -1, cursor: 'last' } : null;
}

function pageLinksFromEnd({ page, rows }: Place, cursors: PageCursors | undefined): PageLinks {
  const [first, last] = [-page * rows, (-page - 1) * rows + 1];
  return {
    range: page === -1 ? `last ${first}` : `last ${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')}`,
    previous: cursors?.previous ? { page: page - 1, cursor: cursors.previous } : null,
    next: cursors?.next ? { page: page + 1, cursor: cursors.next } : null,
    last: page < -1 ? { page: -1, cursor: 'last' } : null,
  };
}

type PaginationProps = Counted & {
  pathname: string;
  searchParams: SearchParams;
  page: PageParams;
};

/** Renders "1–25 of 312", the page size, and the Previous and Next links. The URL holds the state. */
export function Pagination(props: PaginationProps) {
  const { pathname, searchParams, page, total, isCapped = false } = props;
  const cursors = props.next === undefined ? undefined : { next: props.next, previous: props.previous ?? null };
  const { range, previous, next, last } = pageLinks(page, total, isCapped, cursors);
  const hrefOf = (target: typeof next) =>
    target &&
    withParams(pathname, searchParams, { page: target.page === 1 ? null : target.page, cursor: target.cursor }) +
      (page.fragment ? `#${page.fragment}` : '');
  return (
    <PaginationControls
      label={page.label ?? 'Pages'}
      range={range}
      total={formatCount({ total, isCapped })}
      previous={hrefOf(previous)}
      next={hrefOf(next)}
      last={hrefOf(last)}
      {...{ rows: page.rows, sizes: page.sizes, defaultRows: page.defaultRows }}
    />
  );
}
