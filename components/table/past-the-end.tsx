import { ButtonLink } from '../ui/button-link';
import { EmptyState } from '../ui/empty-state';

/** The address asks for a page beyond the last one: an old link, or rows were deleted. */
export function PastTheEnd({ lastPageHref }: { lastPageHref: string }) {
  return (
    <EmptyState
      icon={<span aria-hidden="true" className="icon-search-x" />}
      title="This page is empty"
      action={<ButtonLink href={lastPageHref}>Go to the last page</ButtonLink>}
    >
      The list has fewer pages than the address asks for.
    </EmptyState>
  );
}
