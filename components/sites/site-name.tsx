import { RecordLink } from '../table/record-link';
import { cn } from '../ui/cn';
import { siteHost } from './site-text';

type SiteNameProps = {
  site: { name: string; url: string };
  /** Where its editor is. */
  editHref: string;
  /** E.g. how wide it may get. */
  className?: string;
};

/** Name and address of a site, for whoever may edit it; the name opens its editor, the address the site. */
export function SiteName({ site, editHref, className }: SiteNameProps) {
  return (
    <span className={cn('block min-w-0', className)}>
      <RecordLink name={site.name} href={editHref} />
      <a
        href={addressOf(site.url)}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="block truncate rounded-sm text-muted text-xs hover:underline"
      >
        {siteHost(site.url)}
      </a>
    </span>
  );
}

/** An address may have been typed without its scheme; nothing but the web is ever opened. */
function addressOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}
