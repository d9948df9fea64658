import type { OrderView } from '@/lib/orders/views';
import { Money } from '../ui/money';

type ChargedProps = { order: Pick<OrderView, 'chargedCents' | 'price' | 'currency'> };

/** What the wallet paid, and the listed price beside it where that was in another currency. */
export function Charged({ order }: ChargedProps) {
  return (
    <span className="inline-flex flex-col">
      <Money amountMinor={order.chargedCents} className="text-ink" />
      {order.currency === 'USD' ? null : (
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} className="text-muted text-xs" />
      )}
    </span>
  );
}
