'use client';

import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { Link } from '../ui/link';
import { LinkBusy } from '../ui/link-busy';
import { type PageCursors, pageLinks } from './page-links';
import { type PageParams, rowsParam } from './page-params';
import { RowsSelect } from './rows-select';
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

/**
 * "1–25 of 312", rows per page, back and on; all of it in the address. A client component, because its few figures are
 * less to send than what is made of them.
 */
export function Pagination(props: PaginationProps) {
  const { label = 'Pages', pathname, searchParams, page, total, capped, cursors, goesOn, sizes, defaultRows } = props;
  const { range, previous, next } = pageLinks(page, total, capped, cursors, goesOn);
  const hrefOf = (target: typeof next) =>
    target &&
    withParams(pathname, searchParams, { page: target.page === 1 ? null : target.page, cursor: target.cursor });
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-muted text-sm tabular-nums"
    >
      <p aria-live="polite">
        <span className="text-ink">{range}</span> of {total.toLocaleString('en-US')}
        {capped ? '+' : ''}
      </p>
      <div className="flex items-center gap-4">
        <RowsSelect param={rowsParam} sizes={sizes} value={page.rows} defaultRows={defaultRows} />
        <div className="flex gap-1">
          <Step href={hrefOf(previous)} label="Previous page">
            <span aria-hidden="true" className="icon-chevron-left size-4" />
          </Step>
          <Step href={hrefOf(next)} label="Next page">
            <span aria-hidden="true" className="icon-chevron-right size-4" />
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
    <Link href={href} aria-label={label} title={label} className={look}>
      {children}
      <LinkBusy />
    </Link>
  );
}
