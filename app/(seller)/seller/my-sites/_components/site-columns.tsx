import { figureColumns, statusColumn } from '@/components/sites/figure-columns';
import { SiteName } from '@/components/sites/site-name';
import { formatFigure } from '@/components/sites/site-text';
import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import type { SellerSiteRow } from '@/lib/sites/seller-view';

/** So that the other columns keep their room. */
const nameWidth = 'md:max-w-44 2xl:max-w-72';

/** The columns of spec 000, section 2; the price is the seller's own. @param editHref where a site's dialog opens */
export const siteColumns = (editHref: (id: number) => string): Column<SellerSiteRow>[] => [
  {
    key: 'website',
    header: 'Website',
    sortKey: 'name',
    cell: (site) => <SiteName site={site} editHref={editHref(site.id)} className={nameWidth} />,
  },
  ...figureColumns(formatFigure),
  { key: 'spam', header: 'Spam', sortKey: 'spam', align: 'right', cell: (site) => formatFigure(site.spam, '%') },
  { key: 'country', header: 'Country', cell: (site) => site.country },
  { key: 'niche', header: 'Niche', cell: (site) => site.niche },
  { key: 'type', header: 'Type', cell: (site) => site.postType },
  { key: 'follow', header: 'Follow', cell: (site) => site.followType },
  { key: 'price', header: 'Your Price', align: 'right', cell: (site) => <YourPrice site={site} /> },
  { key: 'tat', header: 'TAT', cell: (site) => site.tat || '–', className: 'whitespace-nowrap' },
  statusColumn,
];

export function YourPrice({ site }: { site: SellerSiteRow }) {
  if (site.sellerPriceCents === null) return '–';
  return <Money amountMinor={site.sellerPriceCents} currency={site.currency} />;
}
