import { Money } from '@/components/ui/money';
import type { Receivable } from '@/lib/ledger/receivables';
import { CollectReceivable } from './collect-receivable';
import { UserName } from './user-name';

/** Somebody who owes, on a phone. */
export function ReceivableCard({ one }: { one: Receivable }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={one.name} email={one.email} />
        <Money amountMinor={one.owedCents} className="shrink-0 font-medium text-red-ink" />
      </div>
      <div className="flex items-center justify-between gap-3 text-muted text-xs">
        <span>
          In the wallet: <Money amountMinor={one.balanceCents} />
        </span>
        <CollectReceivable one={one} />
      </div>
    </div>
  );
}
