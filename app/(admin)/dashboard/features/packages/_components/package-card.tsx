import { Money } from '@/components/ui/money';
import type { PackageRow } from '@/lib/packages/views';
import { PackageName } from './package-name';
import { SaleBadge } from './sale-badge';

/** A package on a phone. */
export function PackageCard({ row, href }: { row: PackageRow; href: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <PackageName row={row} href={href} />
      <p className="flex items-center justify-between gap-3 text-sm">
        <Money amountMinor={row.priceCents} currency={row.currency} />
        <SaleBadge isOnSale={row.isOnSale} />
      </p>
    </div>
  );
}
