import type { orders } from '@/db/schema/orders';
import type { PlacementState, placements } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import {
  type LedgerAccount,
  reservedAccount,
  revenueAccount,
  sellerPayableAccount,
  sellerPendingAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { walletCurrency } from '@/lib/money';
import type { LockedPlacement } from './lock';
import { getRipeAtApproval, type SettlementSplit, splitLoss, splitSettlement } from './shares';

type Order = Pick<typeof orders.$inferSelect, 'id' | 'accountId' | 'website' | 'refundCount'>;
type Placement = Pick<
  typeof placements.$inferSelect,
  'sellerId' | 'sellerCents' | 'marginCents' | 'approvedAt' | 'sellerReturnedCents' | 'marginReturnedCents'
>;
type Ripening = Pick<typeof placements.$inferSelect, 'sellerId' | 'ripenedCents' | 'ripenCount'>;

/** Who moves the money: null for the system. `meta` names the approval of a refund above the approval limit. */
type By = { actorId: string | null; meta?: Record<string, unknown> };

/**
 * Creates the transfers of a placement that ended before its delivery was approved: the charge returns to the buyer.
 * @param order its `refundCount` before this refund; the caller increments it
 */
export function createReturnTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  return toTransfers(order, by, [
    {
      key: `refund:${order.id}:${order.refundCount + 1}`,
      kind: 'order_refund',
      from: reservedAccount,
      to: walletAccount(order.accountId),
      amountCents: placement.sellerCents + placement.marginCents,
      note: 'Refund of order',
    },
  ]);
}

/** Creates the transfers of an approved delivery: the seller's share and the margin. */
export function createApprovalTransfers(order: Order, placement: Placement, by: By): Transfer[] {
  return toTransfers(order, by, divide(order, placement));
}

/** Creates the transfers of a placement that staff take over before the approval: the charge is revenue. */
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
 * Creates the transfer of what becomes payable to the seller. The transfer's key counts the parts of the placement,
 * `ripen:12:1`.
 * @param placement before this part ripens
 * @param ripenedCents what is ripe afterwards, in all
 */
export function createRipeningTransfers(
  order: Order,
  { sellerId, ripenedCents: before, ripenCount }: Ripening,
  ripenedCents: number,
  by: By,
): Transfer[] {
  return toTransfers(order, by, [
    {
      key: `ripen:${order.id}:${ripenCount + 1}`,
      kind: 'ripening',
      from: sellerPendingAccount(sellerId),
      to: sellerPayableAccount(sellerId),
      amountCents: ripenedCents - before,
      note: 'Payable: order',
    },
  ]);
}

/**
 * Creates the transfers of a settlement or of a lost link. After the approval, the returned parts of both shares first
 * go back to `reserved`: the buyer receives one credit, from which neither share can be derived.
 * @param placement its `sellerReturnedCents` and `marginReturnedCents` as the step sets them
 * @param cause the first part of the keys
 */
export function createSettlementTransfers(
  order: Order,
  placement: Placement,
  by: By,
  cause: 'settle' | 'lost' = 'settle',
): Transfer[] {
  const { sellerId, sellerReturnedCents, marginReturnedCents, approvedAt } = placement;
  const { sellerCents, marginCents } = placement;
  const returnedCents = sellerReturnedCents + marginReturnedCents;
  const isWhole = returnedCents === sellerCents + marginCents;
  const refund: Part = {
    key: `${cause}:${order.id}`,
    kind: 'order_refund',
    from: reservedAccount,
    to: walletAccount(order.accountId),
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
      key: `${cause}:${order.id}:seller`,
      kind: 'earning',
      from: sellerPendingAccount(sellerId),
      to: reservedAccount,
      amountCents: sellerReturnedCents,
      note: 'Returned to the buyer: order',
    },
    {
      key: `${cause}:${order.id}:margin`,
      kind: 'margin',
      from: revenueAccount,
      to: reservedAccount,
      amountCents: marginReturnedCents,
      note: 'Returned to the buyer: order',
    },
    refund,
  ]);
}

/**
 * Creates the transfers of a guarantee that a buyer extended after the approval: the buyer pays, and both shares are
 * posted at once, as those of an approval.
 * @param option the copy of the option that was paid for, with its price and shares in USD cents
 */
export function createExtensionTransfers(
  order: Order,
  { sellerId }: Pick<Placement, 'sellerId'>,
  option: { id: string; chargedCents: number; sellerCents: number; marginCents: number },
  actorId: string,
): Transfer[] {
  const key = `extension:${option.id}`;
  return toTransfers(order, { actorId }, [
    {
      key,
      kind: 'order',
      from: walletAccount(order.accountId),
      to: reservedAccount,
      amountCents: option.chargedCents,
      note: 'Longer guarantee of order',
    },
    {
      key: `${key}:seller`,
      kind: 'earning',
      from: reservedAccount,
      to: sellerPendingAccount(sellerId),
      amountCents: option.sellerCents,
      note: 'Earned with a longer guarantee: order',
    },
    {
      key: `${key}:margin`,
      kind: 'margin',
      from: reservedAccount,
      to: revenueAccount,
      amountCents: option.marginCents,
      note: 'Margin of a longer guarantee: order',
    },
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

/** Completes the parts of a posting for an order, and leaves out those without an amount. */
export const toTransfers = (order: Pick<Order, 'id' | 'website'>, { actorId, meta }: By, parts: Part[]): Transfer[] =>
  parts
    .filter(({ amountCents }) => amountCents > 0)
    .map((part) => ({
      ...part,
      currency: walletCurrency,
      orderId: order.id,
      actorId,
      method: part.to.kind === 'wallet' || part.from.kind === 'wallet' ? 'Wallet' : '',
      note: `${part.note} #${order.id}: ${order.website}`,
      ...(meta && { meta }),
    }));

type Money = {
  transfers: Transfer[];
  /** USD cents that return to the buyer, without tax. */
  returnedCents: number;
  returned: Pick<Placement, 'sellerReturnedCents' | 'marginReturnedCents'>;
  ripened: Pick<Ripening, 'ripenedCents' | 'ripenCount'>;
};

/**
 * Plans the transfers of a step to a state, and the shares that it returns.
 * @param step with the approved request of a refund above the approval limit, and the share of a settlement
 */
export function planMoney(
  actor: AnyActor,
  { order, placement }: Pick<LockedPlacement, 'order' | 'placement'>,
  to: PlacementState,
  step: { approval?: Approval | undefined; buyerPercent?: number | undefined },
): Money {
  const { sellerCents, marginCents, sellerReturnedCents, marginReturnedCents } = placement;
  const { approval } = step;
  const by = {
    actorId: approval?.requestedBy ?? actor.userId,
    ...(approval && { meta: { approvalId: approval.id, approvedBy: actor.userId } }),
  };
  const kept: Money = {
    transfers: [],
    returnedCents: 0,
    returned: { sellerReturnedCents, marginReturnedCents },
    ripened: { ripenedCents: placement.ripenedCents, ripenCount: placement.ripenCount },
  };
  const ripen = (ripenedCents: number): Pick<Money, 'transfers' | 'ripened'> => {
    const transfers = createRipeningTransfers(order, placement, ripenedCents, by);
    return { transfers, ripened: { ripenedCents, ripenCount: placement.ripenCount + transfers.length } };
  };
  const settle = (split: SettlementSplit, cause: 'settle' | 'lost'): Money => {
    const returned = {
      sellerReturnedCents: split.sellerReturnedCents,
      marginReturnedCents: split.marginReturnedCents,
    };
    const { transfers, ripened } = ripen(split.sellerCents);
    const settled = createSettlementTransfers(order, { ...placement, ...returned }, by, cause);
    return { transfers: [...settled, ...transfers], ripened, returnedCents: split.buyerCents, returned };
  };
  switch (to) {
    case 'declined':
    case 'expired':
    case 'cancelled':
      return {
        ...kept,
        transfers: createReturnTransfers(order, placement, by),
        returnedCents: sellerCents + marginCents,
        returned: { sellerReturnedCents: sellerCents, marginReturnedCents: marginCents },
      };
    case 'approved': {
      // A withdrawn dispute returns to a placement whose shares were posted before.
      if (placement.approvedAt !== null) return kept;
      const { transfers, ripened } = ripen(getRipeAtApproval(placement));
      return { ...kept, transfers: [...createApprovalTransfers(order, placement, by), ...transfers], ripened };
    }
    case 'closed':
      return { ...kept, ...ripen(sellerCents - sellerReturnedCents) };
    case 'taken_over':
      return { ...kept, transfers: createTakeOverTransfers(order, placement, by) };
    case 'settled': {
      if (step.buyerPercent === undefined) throw new RangeError('A settlement requires a share.');
      return settle(splitSettlement(placement, step.buyerPercent), 'settle');
    }
    case 'lost':
      return settle(splitLoss(placement), 'lost');
    default:
      return kept;
  }
}
