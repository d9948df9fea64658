import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

type NoMatchProps = {
  /** E.g. "No matching orders". */
  title: string;
  /** The URL of the list without search and filters. */
  clearHref: string;
  /** Suggestions, e.g. another search. */
  children: ReactNode;
};

/** The empty state of a list whose search or filters match nothing. */
export function NoMatch({ title, clearHref, children }: NoMatchProps) {
  return (
    <EmptyState icon={<SearchX />} title={title} action={<ButtonLink href={clearHref}>Clear filters</ButtonLink>}>
      {children}
    </EmptyState>
  );
}

/** Shown when the URL's page is past the last one: an old link, or rows were deleted. */
export function PageOutOfRange({ lastPageHref }: { lastPageHref: string }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="This page is empty"
      action={<ButtonLink href={lastPageHref}>Go to the last page</ButtonLink>}
    >
      This page is past the end of the list.
    </EmptyState>
  );
}
