import { CheckResult } from '@/components/links/check-result';
import type { NewestCheck } from '@/lib/orders/link-checks/queries';

type DeliveryNoteProps = {
  /** Undefined before the first check. */
  check: Pick<NewestCheck, 'verdict' | 'reasons'> | undefined;
  /** Why the page was delivered although its link was not in order; null for a link in order. */
  reason: string | null;
};

/** Shows beside the answers to a delivery what the newest check found, and why it was delivered all the same. */
export function DeliveryNote({ check, reason }: DeliveryNoteProps) {
  if (!check && reason === null) return null;
  return (
    <div className="grid basis-full grid-cols-[minmax(0,1fr)] gap-1.5 text-sm">
      <CheckResult verdict={check?.verdict ?? null} reasons={check?.reasons ?? null}>
        {reason === null ? null : <DeliveryReason reason={reason} />}
      </CheckResult>
    </div>
  );
}

/** Renders why a page was delivered whose link is not in order. */
const DeliveryReason = ({ reason }: { reason: string }) => (
  <span className="wrap-anywhere text-ink text-xs">
    <span className="text-muted">Reason of the delivery: </span>“{reason}”
  </span>
);
