import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import type { AdminOrderView, OrderView } from '@/lib/orders/contract';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import { nameOption } from '@/lib/sites/options/names';

type Option = OrderView['options'][number] | AdminOrderView['options'][number] | SellerOrderView['options'][number];

/**
 * Shows the options that an order keeps, with the amounts of the reader: what the buyer paid, what the seller earns, or
 * both for staff. Renders nothing for an order without options.
 */
export function OrderOptions({ options }: { options: readonly Option[] }) {
  if (options.length === 0) return null;
  return (
    <Card aria-label="Options">
      <CardHeader title="Options" />
      <CardBody>
        <ul className="grid gap-2 text-sm">
          {options.map((option) => (
            <li key={option.id} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="wrap-anywhere min-w-0 text-ink">
                {nameOption(option)}
                {option.isExtension ? (
                  <span className="block text-muted text-xs">Extended after publication</span>
                ) : null}
              </span>
              <span className="text-ink">
                {'chargedCents' in option ? <Money amountMinor={option.chargedCents} /> : null}
                {'earnsCents' in option ? (
                  <span className={'chargedCents' in option ? 'text-muted' : undefined}>
                    {'chargedCents' in option ? ', the seller earns ' : ''}
                    <Money amountMinor={option.earnsCents} />
                  </span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}
