import { SiteName } from '@/components/sites/site-name';
import { SiteStatusBadge } from '@/components/sites/site-status-badge';
import type { AdminSiteView } from '@/lib/sites/views';
import { SitePrice } from './site-price';
import { TickBox } from './tick-box';

/** A site on a phone. */
export function SiteCard({ site, editHref }: { site: AdminSiteView; editHref: string }) {
  return (
    <div className="flex items-start gap-3">
      <TickBox id={site.id} name={site.name} />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <div className="flex items-start justify-between gap-3">
          <SiteName site={site} editHref={editHref} />
          <SiteStatusBadge status={site.status} />
        </div>
        <p className="truncate text-muted text-xs">
          {site.userName} · {site.niche} · {site.postType} · {site.country}
        </p>
        <p className="flex flex-wrap justify-between gap-x-4 text-sm tabular-nums">
          <span>
            DR {site.dr ?? '–'} · DA {site.da ?? '–'}
          </span>
          <span>
            <SitePrice price={site.price} currency={site.publicCurrency} />
            {' → '}
            <SitePrice price={site.publicPrice} currency={site.publicCurrency} />
          </span>
        </p>
      </div>
    </div>
  );
}
