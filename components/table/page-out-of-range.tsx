import { SearchX } from 'lucide-react';
import { ButtonLink } from '../ui/button-link';
import { EmptyState } from '../ui/empty-state';

/** Shown when the URL's page is past the last one: an old link, or rows were deleted. */
export function PageOutOfRange({ lastPageHref }: { lastPageHref: string }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="This page is empty"
      action={<ButtonLink href={lastPageHref}>Go to the last page</ButtonLink>}
    >
      The list has fewer pages than the address asks for.
    </EmptyState>
  );
}
