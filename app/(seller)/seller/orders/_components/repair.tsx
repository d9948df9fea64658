import { CheckNow } from '@/components/links/check-now';
import { CheckResult } from '@/components/links/check-result';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { NewestCheck } from '@/lib/orders/link-checks/queries';
import type { SellerOrderView } from '@/lib/orders/placements/seller-queries';

export type OrderToRepair = SellerOrderView & {
  /** Undefined if the link was repaired or lost while the page was read. */
  found: NewestCheck | undefined;
};

/** What the newest check found instead of the link. */
export function Found({ order: { found } }: { order: OrderToRepair }) {
  return found ? <CheckResult {...found} /> : <span className="text-subtle">–</span>;
}

/** Since when nothing becomes payable, and what returns to the buyer without a repair. */
export function MoneyAtStake({ order: { state, earnsCents, ripeCents, found } }: { order: OrderToRepair }) {
  if (!found) return <span className="text-subtle">–</span>;
  if (state !== 'approved') return <span className="text-muted">Not approved yet</span>;
  return (
    <span className="grid gap-1">
      {found.notOkSince ? (
        <span className="text-ink">
          Stopped <TimeAgo at={found.notOkSince} />
        </span>
      ) : null}
      {found.repairDueAt ? (
        <span className="text-red-ink text-xs">
          <Money amountMinor={earnsCents - ripeCents} /> returns to the buyer <TimeAgo at={found.repairDueAt} />
        </span>
      ) : (
        <span className="text-muted text-xs">
          <Money amountMinor={earnsCents - ripeCents} /> not payable yet
        </span>
      )}
    </span>
  );
}

export function ReportRepair({ order: { id } }: { order: OrderToRepair }) {
  return (
    <CheckNow
      path={`/api/seller/orders/${id}/repaired`}
      label="Report a repair"
      aria-label={`Report a repair of order #${id}`}
    />
  );
}
