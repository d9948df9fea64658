import Link from 'next/link';
import type { ReactNode } from 'react';

type ToolbarProps = {
  /** Search and filters. */
  children: ReactNode;
  /** Actions on the whole list, at the right end. */
  actions?: ReactNode;
  /** The URL of the unfiltered list; set only while a filter is active. */
  clearHref?: string | null;
};

/** The row above a table. */
export function Toolbar({ children, actions, clearHref }: ToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      {clearHref ? (
        <Link
          prefetch={false}
          href={clearHref}
          scroll={false}
          className="rounded-sm px-2 py-1 text-accent-ink text-sm hover:underline"
        >
          Clear filters
        </Link>
      ) : null}
      {actions ? <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}
