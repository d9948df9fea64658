import type { OrderStatus } from '../../db/schema/orders';
import type { AuditEntry } from '../audit/lines';
import { formatMoney, walletCurrency } from '../money';

type State = { status: OrderStatus; linkUrl: string; adminComments: string };

/**
 * The audit log's lines for an edit of an order: one, or two when it was rejected and refunded in one step.
 * `before` and `after` hold what changed and nothing else; the order's timeline is read from them.
 * @param movedCents USD cents refunded or taken again; 0 for none
 */
export function describeUpdate(
  before: State & { id: number },
  after: State,
  { isRejection, movedCents }: { isRejection: boolean; movedCents: number },
): AuditEntry[] {
  const steps: State[] =
    isRejection && before.status !== 'Rejected' ? [{ ...after, status: 'Rejected' }, after] : [after];
  let from: State = before;
  return steps.map((to) => {
    const entry = describeStep(before.id, from, to, movedCents);
    from = to;
    return entry;
  });
}

function describeStep(id: number, from: State, to: State, movedCents: number): AuditEntry {
  const entersRefunded = to.status === 'Refunded' && from.status !== 'Refunded';
  const leavesRefunded = from.status === 'Refunded' && to.status !== 'Refunded';
  const money = formatMoney(movedCents, walletCurrency);
  const parts = [
    to.status !== from.status ? `status ${from.status} → ${to.status}` : '',
    entersRefunded && movedCents > 0 ? `${money} returned to the wallet` : '',
    leavesRefunded && movedCents > 0 ? `${money} taken from the wallet again` : '',
    to.linkUrl !== from.linkUrl ? (to.linkUrl ? `live link ${to.linkUrl}` : 'live link removed') : '',
    to.adminComments !== from.adminComments ? (to.adminComments ? 'comments changed' : 'comments removed') : '',
  ];
  const moves = entersRefunded || leavesRefunded;
  return {
    action: entersRefunded ? 'order.refunded' : leavesRefunded ? 'order.recharged' : 'order.updated',
    details: `Order #${id}: ${parts.filter(Boolean).join('; ')}.`,
    entityType: 'order',
    entityId: id,
    ...(moves && movedCents > 0 && { amountCents: movedCents }),
    before: difference(from, to),
    after: difference(to, from),
  };
}

/** The fields of one state that the other has differently. */
function difference(state: State, other: State): Partial<State> {
  return {
    ...(state.status !== other.status && { status: state.status }),
    ...(state.linkUrl !== other.linkUrl && { linkUrl: state.linkUrl }),
    ...(state.adminComments !== other.adminComments && { adminComments: state.adminComments }),
  };
}
