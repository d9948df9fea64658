import type { ReactNode } from 'react';
import type { Column } from '@/components/table/data-table';
import { RecordLink } from '@/components/table/record-list';
import { cn } from '@/components/ui/cn';
import type { SiteStatus } from '@/db/schema/sites';
import { SiteStatusBadge, siteHost } from './site-text';

type SiteNameProps = {
  site: { name: string; url: string };
  editHref: string;
  /** For example a maximum width. */
  className?: string;
};

/** Shows name and address of a site to users who may edit it. The name links to its editor, the address to the site. */
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

/** Returns the href of an address that may lack its scheme. Only http and https are allowed. */
function addressOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url.replace(/^\/+/, '')}`;
}

type ShownMetric = 'dr' | 'da' | 'traffic' | 'spam';
type RenderFigure<Site> = (site: Site, metric: ShownMetric) => ReactNode;

/** Returns the columns DR/DA and Traffic of a table of sites. @param figure renders a figure, e.g. by FigureValue */
export const figureColumns = <Site,>(figure: RenderFigure<Site>): Column<Site>[] => [
  {
    key: 'metrics',
    header: 'DR/DA',
    phone: 'labeled',
    sortKey: 'dr',
    firstOrder: 'desc',
    align: 'right',
    cell: (site) => <DrAndDa {...{ site, figure }} />,
    className: 'whitespace-nowrap',
  },
  {
    key: 'traffic',
    header: 'Traffic',
    phone: 'labeled',
    sortKey: 'traffic',
    firstOrder: 'desc',
    align: 'right',
    cell: (site) => figure(site, 'traffic'),
  },
];

/** Renders "55 / 40". */
const DrAndDa = <Site,>({ site, figure }: { site: Site; figure: RenderFigure<Site> }) => (
  <>
    {figure(site, 'dr')} / {figure(site, 'da')}
  </>
);

/**
 * Returns the column Status.
 * @param isAwaitingPrice whether an approved site has no public price
 * @param note a further note below the status, e.g. that the site is paused
 */
export const statusColumn = <Site extends { status: SiteStatus }>(
  isAwaitingPrice: (site: Site) => boolean,
  note?: (site: Site) => ReactNode,
): Column<Site> => ({
  key: 'status',
  header: 'Status',
  phone: 'end',
  sortKey: 'status',
  cell: (site) => (
    <>
      <SiteStatusBadge status={site.status} isAwaitingPrice={isAwaitingPrice(site)} />
      {note?.(site)}
    </>
  ),
});
