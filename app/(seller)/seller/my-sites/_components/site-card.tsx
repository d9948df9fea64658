import type { ReactNode } from 'react';
import { SiteName } from '@/components/sites/site-name';
import { SiteStatusBadge } from '@/components/sites/site-status-badge';
import { formatFigure } from '@/components/sites/site-text';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { YourPrice } from './site-columns';

/** A site on a narrow screen: everything the table has. */
export function SiteCard({ site, editHref }: { site: SellerSiteRow; editHref: string }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <SiteName site={site} editHref={editHref} />
        <SiteStatusBadge status={site.status} />
      </div>
      <dl className="mt-3 grid grid-cols-3 gap-x-3 gap-y-2 text-sm">
        <Fact name="Your Price">
          <YourPrice site={site} />
        </Fact>
        <Fact name="DR/DA">{`${formatFigure(site.dr)} / ${formatFigure(site.da)}`}</Fact>
        <Fact name="Traffic">{formatFigure(site.traffic)}</Fact>
        <Fact name="Spam">{formatFigure(site.spam, '%')}</Fact>
        <Fact name="Country">{site.country}</Fact>
        <Fact name="Niche">{site.niche}</Fact>
        <Fact name="Type">{site.postType}</Fact>
        <Fact name="Follow">{site.followType}</Fact>
        <Fact name="TAT">{site.tat || '–'}</Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-subtle text-xs">{name}</dt>
      <dd className="truncate text-ink tabular-nums">{children}</dd>
    </div>
  );
}
