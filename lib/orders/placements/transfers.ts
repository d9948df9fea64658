import type { orders } from '../../../db/schema/orders';
import type { PlacementState, placements } from '../../../db/schema/placements';
import type { AnyActor } from '../../access/actor';
import {
  type LedgerAccount,
  reservedAccount,
  revenueAccount,
  sellerPendingAccount,
  type Transfer,
  walletAccount,
} from '../../ledger/post-transfer';
import { walletCurrency } from '../../money';
import type { LockedPlacement, Step } from './move';
import { splitShare } from './split';

type Order = Pick<typeof orders.$inferSelect, 'id' | 'userId' | 'website' | 'refundCount'>;
type Placement = Pick<
  typeof placements.$inferSelect,
  'sellerId' | 'sellerCents' | 'marginCents' | 'approvedAt' | 'sellerReturnedCents' | 'marginReturnedCents'
>;

/** Who moves the money: null for the system. `meta` names the approval of a refund above the approval limit. */
type By = { actorId: string | null; meta?: Record<string, unknown> };

/**
 * The money of a placement that ended before its delivery was approved: the charge returns to the buyer.
 * @param order its `refundCount` before this refund; the caller increments it
 */
export function createReturnTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  return toTransfers(order, by, [
    {
      key: `refund:${order.id}:${order.refundCount + 1}`,
      kind: 'order_refund',
      from: reservedAccount,
      to: walletAccount(order.userId),
      amountCents: placement.sellerCents + placement.marginCents,
      note: 'Refund of order',
    },
  ]);
}

/** The money of an approved delivery: the seller's share and the margin. */
export function createApprovalTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  return toTransfers(order, by, divide(order, placement));
}

/** The money of a placement that the staff take over before its delivery was approved: the charge is revenue. */
export function createTakeOverTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  return toTransfers(order, by, [
    {
      key: `takeover:${order.id}`,
      kind: 'margin',
      from: reservedAccount,
      to: revenueAccount,
      amountCents: placement.sellerCents + placement.marginCents,
      note: 'Taken over: order',
    },
  ]);
}

/**
 * The money of a settlement. After the approval, the returned parts of both shares first go back to `reserved`: the
 * buyer receives one credit, from which neither share can be derived.
 * @param placement its `sellerReturnedCents` and `marginReturnedCents` as the settlement sets them (`splitShare`)
 */
export function createSettlementTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  const { sellerId, sellerReturnedCents, marginReturnedCents, approvedAt } = placement;
  const { sellerCents, marginCents } = placement;
  const returnedCents = sellerReturnedCents + marginReturnedCents;
  const isWhole = returnedCents === sellerCents + marginCents;
  const refund: Part = {
    key: `settle:${order.id}`,
    kind: 'order_refund',
    from: reservedAccount,
    to: walletAccount(order.userId),
    amountCents: returnedCents,
    note: isWhole ? 'Refund of order' : 'Partial refund of order',
  };
  if (approvedAt === null) {
    const rest = {
      sellerId,
      sellerCents: sellerCents - sellerReturnedCents,
      marginCents: marginCents - marginReturnedCents,
    };
    return toTransfers(order, by, [refund, ...divide(order, rest)]);
  }
  return toTransfers(order, by, [
    {
      key: `settle:${order.id}:seller`,
      kind: 'earning',
      from: sellerPendingAccount(sellerId),
      to: reservedAccount,
      amountCents: sellerReturnedCents,
      note: 'Returned to the buyer: order',
    },
    {
      key: `settle:${order.id}:margin`,
      kind: 'margin',
      from: revenueAccount,
      to: reservedAccount,
      amountCents: marginReturnedCents,
      note: 'Returned to the buyer: order',
    },
    refund,
  ]);
}

type Part = Pick<Transfer, 'key' | 'kind' | 'amountCents'> & { from: LedgerAccount; to: LedgerAccount; note: string };

const divide = (
  { id }: Order,
  { sellerId, sellerCents, marginCents }: Pick<Placement, 'sellerId' | 'sellerCents' | 'marginCents'>,
): Part[] => [
  {
    key: `earn:${id}`,
    kind: 'earning',
    from: reservedAccount,
    to: sellerPendingAccount(sellerId),
    amountCents: sellerCents,
    note: 'Earned: order',
  },
  {
    key: `margin:${id}`,
    kind: 'margin',
    from: reservedAccount,
    to: revenueAccount,
    amountCents: marginCents,
    note: 'Margin: order',
  },
];

/** Completes the parts, and leaves out those that move nothing. */
const toTransfers = (order: Order, { actorId, meta }: By, parts: Part[]): Transfer[] =>
  parts
    .filter(({ amountCents }) => amountCents > 0)
    .map((part) => ({
      ...part,
      currency: walletCurrency,
      orderId: order.id,
      actorId,
      method: part.to.kind === 'wallet' ? 'Wallet' : '',
      note: `${part.note} #${order.id}: ${order.website}`,
      ...(meta && { meta }),
    }));

type Money = {
  transfers: Transfer[];
  /** USD cents that return to the buyer. */
  returnedCents: number;
  returned: Pick<Placement, 'sellerReturnedCents' | 'marginReturnedCents'>;
};

/**
 * Plans the transfers of a step to a state, and the shares that it returns.
 * @param step with the approved request of a refund above the approval limit, and the share of a settlement
 */
export function planMoney(
  actor: AnyActor,
  { order, placement }: Pick<LockedPlacement, 'order' | 'placement'>,
  to: PlacementState,
  step: Pick<Step, 'approval' | 'buyerPercent'>,
): Money {
  const { sellerCents, marginCents, sellerReturnedCents, marginReturnedCents } = placement;
  const { approval } = step;
  const by = {
    actorId: approval?.requestedBy ?? actor.userId,
    ...(approval && { meta: { approvalId: approval.id, approvedBy: actor.userId } }),
  };
  const kept = { returnedCents: 0, returned: { sellerReturnedCents, marginReturnedCents } };
  switch (to) {
    case 'declined':
    case 'expired':
    case 'cancelled':
      return {
        transfers: createReturnTransfers(order, placement, by),
        returnedCents: sellerCents + marginCents,
        returned: { sellerReturnedCents: sellerCents, marginReturnedCents: marginCents },
      };
    case 'approved': {
      // A withdrawn dispute returns to a placement whose shares were posted before.
      const transfers = placement.approvedAt === null ? createApprovalTransfers(order, placement, by) : [];
      return { ...kept, transfers };
    }
    case 'taken_over':
      return { ...kept, transfers: createTakeOverTransfers(order, placement, by) };
    case 'settled': {
      if (step.buyerPercent === undefined) throw new RangeError('A settlement requires a share.');
      const split = splitShare(placement, step.buyerPercent);
      const returned = {
        sellerReturnedCents: split.sellerReturnedCents,
        marginReturnedCents: split.marginReturnedCents,
      };
      const transfers = createSettlementTransfers(order, { ...placement, ...returned }, by);
      return { transfers, returnedCents: split.buyerCents, returned };
    }
    default:
      return { ...kept, transfers: [] };
  }
}
