import type { Column } from '@/components/table/data-table';
import type { SiteStatus } from '@/db/schema/sites';
import { SiteStatusBadge } from './site-status-badge';

type Figures = { dr: number | null; da: number | null; traffic: number | null };

/** The columns DR/DA and Traffic of a table of sites. @param figure formats a number, and null for an unknown one */
export const figureColumns = (figure: (value: number | null) => string): Column<Figures>[] => [
  {
    key: 'metrics',
    header: 'DR/DA',
    sortKey: 'dr',
    firstOrder: 'desc',
    align: 'right',
    cell: (site) => `${figure(site.dr)} / ${figure(site.da)}`,
    className: 'whitespace-nowrap',
  },
  {
    key: 'traffic',
    header: 'Traffic',
    sortKey: 'traffic',
    firstOrder: 'desc',
    align: 'right',
    cell: (site) => figure(site.traffic),
  },
];

/** The column Status. @param isAwaitingPrice whether an approved site has no public price */
export const statusColumn = <Site extends { status: SiteStatus }>(
  isAwaitingPrice: (site: Site) => boolean,
): Column<Site> => ({
  key: 'status',
  header: 'Status',
  sortKey: 'status',
  cell: (site) => <SiteStatusBadge status={site.status} isAwaitingPrice={isAwaitingPrice(site)} />,
});
