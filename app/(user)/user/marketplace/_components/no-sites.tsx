import { EyeOff, SearchX, Star, Store } from 'lucide-react';
import Link from 'next/link';
import { PastTheEnd } from '@/components/table/past-the-end';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

/** The list with one filter less: how to get there, and what is there. */
export type Loosened = { text: string; href: string; total: number; isCapped: boolean };

type NoSitesProps = {
  show: 'all' | 'favourites' | 'hidden';
  /** Where the list without filters is; null when nothing filters. */
  clearHref: string | null;
  /** Where the last page is, when the address asks for one beyond it. */
  lastPageHref: string | null;
  /** Which filters stand in the way, the most fruitful first. */
  loosened: readonly Loosened[];
};

/** Nothing matches, nothing is on this page, nothing is marked, or nothing is on sale: each with its way on. */
export function NoSites({ show, clearHref, lastPageHref, loosened }: NoSitesProps) {
  if (lastPageHref) {
    return <PastTheEnd lastPageHref={lastPageHref} />;
  }
  if (clearHref) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No site matches these filters"
        action={<ButtonLink href={clearHref}>Clear filters</ButtonLink>}
      >
        {loosened.length > 0 ? (
          <Loosen loosened={loosened} />
        ) : (
          'Taking one filter out is not enough: widen a range, or start again without any.'
        )}
      </EmptyState>
    );
  }
  if (show === 'favourites') {
    return (
      <EmptyState icon={<Star />} title="No favourites of this type yet">
        Press the star beside a site to keep it here.
      </EmptyState>
    );
  }
  if (show === 'hidden') {
    return (
      <EmptyState icon={<EyeOff />} title="No hidden sites of this type">
        Press the eye at the end of a row to take a site out of your list. You find it here again.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Store />} title="No sites of this type yet">
      Sites appear here as soon as they are approved.
    </EmptyState>
  );
}

function Loosen({ loosened }: { loosened: readonly Loosened[] }) {
  return (
    <>
      <p>Taking one of them out brings sites back:</p>
      <ul className="mt-3 grid justify-items-center gap-1.5">
        {loosened.map(({ text, href, total, isCapped }) => (
          <li key={href}>
            <Link prefetch={false} href={href} scroll={false} className="rounded-sm text-accent-ink hover:underline">
              Without <span className="font-medium">{text}</span>
            </Link>{' '}
            <span className="tabular-nums">
              {total.toLocaleString('en-US')}
              {isCapped ? '+' : ''} {total === 1 ? 'site' : 'sites'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
