import { Money } from '@/components/ui/money';
import type { OrderView } from '@/lib/orders/views';

type ChargedAmountProps = { order: Pick<OrderView, 'chargedCents' | 'price' | 'currency'> };

/** The amount charged to the wallet, and the listed price where that is in another currency. */
export function ChargedAmount({ order }: ChargedAmountProps) {
  return (
    <span className="inline-flex flex-col">
      <Money amountMinor={order.chargedCents} className="text-ink" />
      {order.currency === 'USD' ? null : (
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} className="text-muted text-xs" />
      )}
    </span>
  );
}
