'use client';

import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Select } from '@/components/ui/controls';
import { Icon } from '@/components/ui/icon';
import { LinkBusy } from '@/components/ui/link-busy';
import { rowsParam } from './url';
import { useParamChange } from './use-param-change';

type PaginationControlsProps = {
  /** The accessible name. */
  label: string;
  /** The numbers of the rows shown; `total` is the number of all rows. */
  range: string;
  total: string;
  /** The URLs of the neighbouring pages and of the last page; null where the list ends. */
  previous: string | null;
  next: string | null;
  last: string | null;
  rows: number;
  sizes: readonly number[];
  defaultRows: number;
};

/** Shows the controls of Pagination. A client component, because its few props are smaller than its rendered markup. */
export function PaginationControls(props: PaginationControlsProps) {
  const { label, range, total, previous, next, last, ...size } = props;
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-muted text-sm"
    >
      <p aria-live="polite">
        <span className="text-ink">{range}</span> of {total}
      </p>
      <div className="flex items-center gap-4">
        <RowsSelect {...size} />
        <div className="flex gap-1">
          <PageLink href={previous} label="Previous page">
            <Icon name="chevron-left" />
          </PageLink>
          <PageLink href={next} label="Next page">
            <Icon name="chevron-right" />
          </PageLink>
          <PageLink href={last} label="Last page">
            <Icon name="chevron-last" />
          </PageLink>
        </div>
      </div>
    </nav>
  );
}

function PageLink({ href, label, children }: { href: string | null; label: string; children: ReactNode }) {
  const look = buttonClass({ size: 'sm', square: true });
  if (!href) {
    return (
      <button type="button" disabled aria-label={label} className={look}>
        {children}
      </button>
    );
  }
  return (
    <Link prefetch={false} href={href} aria-label={label} data-tooltip={label} className={look}>
      {children}
      <LinkBusy />
    </Link>
  );
}

/** Selects the page size. The default has no URL parameter. */
function RowsSelect({ rows, sizes, defaultRows }: Pick<PaginationControlsProps, 'rows' | 'sizes' | 'defaultRows'>) {
  const { pending, change } = useParamChange();
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="max-sm:sr-only">
        Rows per page
      </label>
      <Select
        id={id}
        size="sm"
        className="w-20"
        value={rows}
        disabled={pending}
        onChange={({ target: { value } }) => change({ [rowsParam]: Number(value) === defaultRows ? null : value })}
        options={sizes.map(String)}
      />
    </div>
  );
}
