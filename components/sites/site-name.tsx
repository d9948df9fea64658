import { RecordLink } from '@/components/table/record-link';
import { cn } from '@/components/ui/cn';
import { siteHost } from './site-text';

type SiteNameProps = {
  site: { name: string; url: string };
  editHref: string;
  /** For example a maximum width. */
  className?: string;
};

/** Name and address of a site, for users who may edit it. The name links to its editor, the address to the site. */
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

/** The href of an address that may lack its scheme. Only http and https are allowed. */
function addressOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}
