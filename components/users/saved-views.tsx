import Link from 'next/link';
import { allParams, rowsParam, type SearchParams } from '@/components/table/url';
import { cn } from '@/components/ui/cn';
import type { SavedFilter } from '@/lib/users/saved-filters';

/** A list of the admin area with the views that the user saved. */
export type ListViews = {
  pathname: string;
  saved: readonly SavedFilter[];
  /** The filter, order and page size of the list as the query of its URL; '' for the list as it opens. */
  query: string;
};

/** The parameters of a view besides the filters of its list. */
const viewParams = ['sort', 'order', rowsParam];

/** Builds the query of the current view: without the page, and without what is open. */
export function buildViewQuery(searchParams: SearchParams, filterNames: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of [...new Set([...filterNames, ...viewParams])].sort()) {
    for (const value of allParams(searchParams, name)) if (value.trim() !== '') query.append(name, value.trim());
  }
  return query.toString();
}

/** Renders the links to the saved views of a list, above its table. The current one is marked. */
export function SavedViewLinks({ pathname, saved, query }: ListViews) {
  if (saved.length === 0) return null;
  return (
    <nav aria-label="Saved views" className="mb-3 flex flex-wrap items-center gap-1.5">
      {saved.map((view) => {
        const isCurrent = view.query === query;
        return (
          <Link
            prefetch={false}
            key={view.id}
            // The view that is open leads back to the whole list.
            href={isCurrent ? pathname : `${pathname}?${view.query}`}
            scroll={false}
            aria-current={isCurrent ? 'true' : undefined}
            className={cn(
              'wrap-anywhere inline-flex min-h-6 items-center rounded-full border px-2.5 py-0.5 text-xs',
              isCurrent
                ? 'border-accent bg-accent-soft text-accent-ink'
                : 'border-line-strong bg-surface text-muted hover:bg-sunken hover:text-ink',
            )}
          >
            {view.name}
          </Link>
        );
      })}
    </nav>
  );
}
