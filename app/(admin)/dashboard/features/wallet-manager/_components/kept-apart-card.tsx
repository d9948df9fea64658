import { Money } from '@/components/ui/money';
import { TransactionDate } from '@/components/wallet/transaction-date';
import { providerNames } from '@/lib/payments/providers/names';
import type { SuspendedPayment } from '@/lib/payments/top-ups/suspended-payments';
import { AcceptPayment } from './accept-payment';
import { UserName } from './user-name';

/** One payment kept apart, on a phone. */
export function KeptApartCard({ one }: { one: SuspendedPayment }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.user.name} email={one.user.email} />
        <Money amountMinor={one.heldMinor} currency={one.currency} className="shrink-0 font-medium text-ink" />
      </div>
      <p className="break-words text-sm">{one.reason}</p>
      {one.refusal ? <p className="text-muted text-xs">{one.refusal}</p> : null}
      <div className="flex items-end justify-between gap-3 text-sm">
        <div>
          <TransactionDate at={one.since} />
          <span className="block text-muted text-xs">
            {providerNames[one.provider]}, asked for <Money amountMinor={one.requestedMinor} currency={one.requestedCurrency} />
          </span>
        </div>
        <AcceptPayment one={one} />
      </div>
    </div>
  );
}
