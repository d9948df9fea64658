import Link from 'next/link';
import type { SellerSiteRow } from '@/lib/sites/seller-view';

/** Name and address of a site; the name opens its editor, the address the site. */
export function SiteName({ site, editHref }: { site: SellerSiteRow; editHref: string }) {
  return (
    <span className="block min-w-0 md:max-w-44 2xl:max-w-72">
      <Link
        href={editHref}
        scroll={false}
        prefetch={false}
        title={site.name}
        aria-label={`Edit ${site.name}`}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {site.name}
      </Link>
      <a
        href={addressOf(site.url)}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="block truncate rounded-sm text-muted text-xs hover:underline"
      >
        {site.url.replace(/^https?:\/\//i, '')}
      </a>
    </span>
  );
}

/** A seller may have typed the address without its scheme; nothing but the web is ever opened. */
function addressOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}
