import type { ReactNode } from 'react';
import { ButtonLink } from './button';
import { cn } from './cn';
import { Icon } from './icon';

type EmptyStateProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
};

/** Renders the placeholder of an empty list, of a search without results, or of a failure: a text and an action. */
export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('empty-state', className)}>
      {icon ? (
        <span
          aria-hidden="true"
          className="mb-4 grid size-10 place-items-center rounded-lg border border-line bg-sunken text-subtle [&>*]:size-5"
        >
          {icon}
        </span>
      ) : null}
      <p className="font-medium text-ink text-sm">{title}</p>
      {children ? <div className="mt-1 max-w-sm text-muted text-sm">{children}</div> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

type NoMatchProps = {
  /** E.g. "No matching orders". */
  title: string;
  /** The URL of the list without search and filters. */
  clearHref: string;
  /** Suggestions, e.g. another search. */
  children: ReactNode;
};

/** Renders the empty state of a list whose search or filters match nothing. */
export function NoMatch({ title, clearHref, children }: NoMatchProps) {
  return (
    <EmptyState
      icon={<Icon name="search-x" />}
      title={title}
      action={<ButtonLink href={clearHref}>Clear filters</ButtonLink>}
    >
      {children}
    </EmptyState>
  );
}

/** Tells that the URL's page is past the last one: an old link, or rows were deleted. */
export function PageOutOfRange({ lastPageHref }: { lastPageHref: string }) {
  return (
    <EmptyState
      icon={<Icon name="search-x" />}
      title="This page is empty"
      action={<ButtonLink href={lastPageHref}>Go to the last page</ButtonLink>}
    >
      This page is past the end of the list.
    </EmptyState>
  );
}
