import type { SellerSiteRow } from '@/lib/sites/seller-view';

/** Name and address of a site; the address opens it. */
export function SiteName({ site }: { site: SellerSiteRow }) {
  return (
    <span className="block min-w-0 md:max-w-44 2xl:max-w-72">
      <span title={site.name} className="block truncate font-medium text-ink">
        {site.name}
      </span>
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
