import { X } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { IconButton } from '@/components/ui/icon-button';
import { Money } from '@/components/ui/money';
import { walletCurrency } from '@/lib/money';
import { WalletSum } from '../orders/wallet-sum';
import type { SelectedSite } from './selection-store';
import { siteHost } from './site-text';

export type Basket = {
  sites: readonly SelectedSite[];
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  /** USD cents. */
  balanceCents: number;
};

/** What is ordered, what it costs together, and what the wallet holds afterwards. */
export function BasketList({ sites, gone, balanceCents, onRemove }: Basket & { onRemove: (id: number) => void }) {
  const onSale = sites.filter(({ id }) => !gone.includes(id));
  const totalCents = onSale.reduce((sum, { usdCents }) => sum + usdCents, 0);
  return (
    <div className="rounded-lg border border-line">
      <ul aria-label="Sites to order" className="divide-y divide-line">
        {sites.map((site) => (
          <li key={site.id} className="flex items-center gap-3 py-2 pr-2 pl-4">
            <div className="mr-auto min-w-0">
              <p className="truncate font-medium text-ink text-sm">{site.name}</p>
              <p className="truncate text-muted text-xs">{siteHost(site.url)}</p>
            </div>
            {gone.includes(site.id) ? <Badge tone="red">No longer available</Badge> : <Price of={site} />}
            <IconButton label={`Remove ${site.name}`} onClick={() => onRemove(site.id)}>
              <X className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <WalletSum
        label={onSale.length === 1 ? 'Total, 1 site' : `Total, ${onSale.length} sites`}
        totalCents={totalCents}
        balanceCents={balanceCents}
        className="border-line border-t first:border-t-0"
      />
    </div>
  );
}

/** What the wallet pays, and what the site asks where that is in another currency. */
function Price({ of: { usdCents, priceCents, currency } }: { of: SelectedSite }) {
  return (
    <p className="text-right text-sm">
      <Money amountMinor={usdCents} />
      {currency === walletCurrency ? null : (
        <Money amountMinor={priceCents} currency={currency} className="block text-muted text-xs" />
      )}
    </p>
  );
}
