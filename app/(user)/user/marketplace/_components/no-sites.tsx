import { SearchX, Store } from 'lucide-react';
import { PastTheEnd } from '@/components/table/past-the-end';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

type NoSitesProps = {
  /** Where the list without filters is; null when nothing filters. */
  clearHref: string | null;
  /** Where the last page is, when the address asks for one beyond it. */
  lastPageHref: string | null;
};

/** Nothing matches, nothing is on this page, or nothing is on sale: three states, three ways on. */
export function NoSites({ clearHref, lastPageHref }: NoSitesProps) {
  if (lastPageHref) {
    return <PastTheEnd lastPageHref={lastPageHref} />;
  }
  if (clearHref) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No site matches these filters"
        action={
          <ButtonLink href={clearHref} prefetch={false}>
            Clear filters
          </ButtonLink>
        }
      >
        Widen a range or take a filter out.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Store />} title="No sites of this type yet">
      Sites appear here as soon as they are approved.
    </EmptyState>
  );
}
