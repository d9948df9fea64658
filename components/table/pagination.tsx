import { ChevronLeft, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { type PageParams, rowsParam } from './page-params';
import { RowsSelect } from './rows-select';
import { type SearchParams, withParams } from './url';

type PaginationProps = {
  pathname: string;
  searchParams: SearchParams;
  page: PageParams;
  /** How many there are over all pages. */
  total: number;
  /** The total stopped counting here: shown as "1,000+". */
  capped?: boolean;
  /** Where the neighbours of this page begin, for lists that can be read from there; far down they are used. */
  cursors?: { next: string | null; previous: string | null };
  sizes: readonly number[];
  defaultRows: number;
};

/** From here on a page is reached from its neighbour: counting off what lies before it would take ever longer. */
const deepRows = 1_000;

const count = new Intl.NumberFormat('en-US');

/** "1–25 of 312", rows per page, back and on; all of it in the address. */
export function Pagination(props: PaginationProps) {
  const { pathname, searchParams, page, total, capped = false, cursors, sizes, defaultRows } = props;
  const first = total === 0 ? 0 : page.offset + 1;
  const last = capped ? page.offset + page.rows : Math.min(page.offset + page.rows, total);
  const to = (target: number, cursor: string | null | undefined) =>
    withParams(pathname, searchParams, {
      page: target === 1 ? null : target,
      cursor: (target - 1) * page.rows >= deepRows ? cursor : null,
    });
  // Past the end (an old address): back leads to the last page that exists.
  const lastPage = capped ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(total / page.rows));
  const previous = page.page > 1 ? to(Math.min(page.page - 1, lastPage), cursors?.previous) : null;
  const goesOn = cursors ? cursors.next !== null : page.page < lastPage;
  const next = goesOn ? to(page.page + 1, cursors?.next) : null;
  const range = first > total && !capped ? '0' : `${count.format(first)}–${count.format(last)}`;
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-muted text-sm tabular-nums"
    >
      <p aria-live="polite">
        <span className="text-ink">{range}</span> of {count.format(total)}
        {capped ? '+' : ''}
      </p>
      <div className="flex items-center gap-4">
        <RowsSelect param={rowsParam} sizes={sizes} value={page.rows} defaultRows={defaultRows} />
        <div className="flex gap-1">
          <Step href={previous} label="Previous page">
            <ChevronLeft aria-hidden="true" className="size-4" />
          </Step>
          <Step href={next} label="Next page">
            <ChevronRight aria-hidden="true" className="size-4" />
          </Step>
        </div>
      </div>
    </nav>
  );
}

function Step({ href, label, children }: { href: string | null; label: string; children: ReactNode }) {
  const look = buttonClass({ size: 'sm', square: true });
  if (!href) {
    return (
      <button type="button" disabled aria-label={label} className={look}>
        {children}
      </button>
    );
  }
  return (
    <Link href={href} aria-label={label} title={label} prefetch={false} className={look}>
      {children}
    </Link>
  );
}
