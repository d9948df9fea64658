import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PackageRow } from '@/lib/packages/views';
import { PackageName } from './package-name';
import { SaleBadge } from './sale-badge';

/** The packages' table. @param editHref where a package's dialog opens */
export function packageColumns(editHref: (id: number) => string): Column<PackageRow>[] {
  return [
    {
      key: 'name',
      header: 'Package',
      sortKey: 'name',
      cell: (row) => <PackageName row={row} href={editHref(row.id)} />,
      className: 'w-1/2 min-w-56 max-w-0',
    },
    {
      key: 'price',
      header: 'Price',
      sortKey: 'price',
      firstOrder: 'desc',
      align: 'right',
      cell: (row) => <Money amountMinor={row.priceCents} currency={row.currency} />,
    },
    { key: 'sale', header: 'Sale', cell: (row) => <SaleBadge isOnSale={row.isOnSale} /> },
    {
      key: 'updated',
      header: 'Changed',
      cell: (row) => <TimeAgo at={row.updatedAt} className="whitespace-nowrap text-muted" />,
    },
  ];
}
