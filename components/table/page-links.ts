import type { PageParams } from './page-params';

/** Where the neighbours of a page begin, for lists that can be read from there. */
export type PageCursors = { next: string | null; previous: string | null };
type Target = { page: number; cursor: string | null };

type PageLinks = {
  /** The numbers of the rows shown, "1–25"; "0" beyond the end. */
  range: string;
  previous: Target | null;
  next: Target | null;
};

/** From here on a page is reached from its neighbour: counting off what lies before it would take ever longer. */
const deepRows = 1_000;

/**
 * The ways on from a page of a list.
 * @param total how many rows there are; at least so many when `capped`
 * @param cursors tell whether the list goes on, where it has them
 * @param goesOn tells it where it has none
 */
export function pageLinks(
  page: PageParams,
  total: number,
  capped = false,
  cursors?: PageCursors,
  goesOn?: boolean,
): PageLinks {
  const to = (target: number, cursor: string | null | undefined): Target => ({
    page: target,
    cursor: (target - 1) * page.rows >= deepRows ? (cursor ?? null) : null,
  });
  const lastPage = capped ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(total / page.rows));
  const hasNext = goesOn ?? (cursors ? cursors.next !== null : page.page < lastPage);
  const first = total === 0 ? 0 : page.offset + 1;
  const last = capped ? page.offset + page.rows : Math.min(page.offset + page.rows, total);
  return {
    range: first > total && !capped ? '0' : `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')}`,
    // Past the end (an old address): back leads to the last page that exists.
    previous: page.page > 1 ? to(Math.min(page.page - 1, lastPage), cursors?.previous) : null,
    next: hasNext ? to(page.page + 1, cursors?.next) : null,
  };
}
