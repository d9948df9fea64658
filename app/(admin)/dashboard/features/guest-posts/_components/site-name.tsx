import Link from 'next/link';
import type { AdminSiteView } from '@/lib/sites/views';

/** Name and address of a site; the name opens its editor. */
export function SiteName({ site, href }: { site: AdminSiteView; href: string }) {
  return (
    <span className="block min-w-0">
      <Link
        href={href}
        scroll={false}
        prefetch={false}
        title={site.name}
        aria-label={`Edit ${site.name}`}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {site.name}
      </Link>
      <span className="block truncate text-muted text-xs">{site.url.replace(/^https?:\/\//i, '')}</span>
    </span>
  );
}
