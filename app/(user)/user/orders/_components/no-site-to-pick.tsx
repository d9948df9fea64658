import { NoMatch } from '@/components/table/no-match';
import { PastTheEnd } from '@/components/table/past-the-end';

type NoSiteToPickProps = { show: 'all' | 'favourites'; total: number; clearHref: string; lastPageHref: string };

/** The picker without a row: a page too far, nothing that matches, or no favourite. */
export function NoSiteToPick({ show, total, clearHref, lastPageHref }: NoSiteToPickProps) {
  if (total > 0) return <PastTheEnd lastPageHref={lastPageHref} />;
  return (
    <NoMatch
      title={show === 'favourites' ? 'No favourite matches' : 'No site matches these filters'}
      clearHref={clearHref}
    >
      Take a filter out, widen a range, or look among all sites.
    </NoMatch>
  );
}
