import { figureColumns, statusColumn } from '@/components/sites/figure-columns';
import { SiteName } from '@/components/sites/site-name';
import type { Column } from '@/components/table/data-table';
import type { AdminSiteView } from '@/lib/sites/views';
import { SitePrice } from './site-price';
import { TickBox, TickPage } from './tick-box';

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, notation: 'compact' });
const figure = (value: number | null) => (value === null ? '–' : number.format(value));

/** The Guest Post Manager's table. @param editHref where a site's dialog opens */
export function siteColumns(ids: readonly number[], editHref: (id: number) => string): Column<AdminSiteView>[] {
  return [
    {
      key: 'tick',
      header: <TickPage ids={ids} />,
      cell: (site) => <TickBox id={site.id} name={site.name} />,
      className: 'w-10',
    },
    {
      key: 'website',
      header: 'Website',
      sortKey: 'name',
      cell: (site) => <SiteName site={site} editHref={editHref(site.id)} />,
      className: 'w-[26%] min-w-44 max-w-0',
    },
    {
      key: 'owner',
      header: 'Owner',
      cell: (site) => <span className="block truncate">{site.userName}</span>,
      className: 'w-[14%] min-w-28 max-w-0',
    },
    {
      key: 'niche',
      header: 'Niche and type',
      cell: (site) => (
        <span className="block min-w-0">
          <span className="block truncate text-ink">{site.niche}</span>
          <span className="block truncate text-muted text-xs">{site.postType}</span>
        </span>
      ),
      className: 'w-[16%] min-w-28 max-w-0',
    },
    {
      key: 'country',
      header: 'Country',
      cell: (site) => <span className="block truncate">{site.country}</span>,
      className: 'w-[12%] min-w-24 max-w-0',
    },
    ...figureColumns(figure),
    {
      key: 'seller',
      header: 'Seller price',
      align: 'right',
      cell: (site) => <SitePrice price={site.price} currency={site.publicCurrency} />,
      className: 'whitespace-nowrap',
    },
    {
      key: 'price',
      header: 'Public price',
      sortKey: 'price',
      firstOrder: 'desc',
      align: 'right',
      cell: (site) => <SitePrice price={site.publicPrice} currency={site.publicCurrency} />,
      className: 'whitespace-nowrap',
    },
    statusColumn,
  ];
}
