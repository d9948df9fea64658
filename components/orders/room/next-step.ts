import type { Tone } from '@/components/ui/badge';
import type { LinkStanding, LinkVerdict } from '@/db/schema/links';
import type { ChangeState } from '@/db/schema/order-changes';
import type { OrderStatus } from '@/db/schema/orders';
import type { PlacementState } from '@/db/schema/placements';
import { describeOrderStatus, isOpenExtension, isReopened } from '@/lib/orders/describe-status';

/** What happens next with an order, and until when. */
export type NextStep = { title: string; text: string; dueAt: string | null; tone: Tone };

/** The facts that the views of an order and of a seller's order share. */
type Placement = {
  state: PlacementState;
  answerDueAt: string;
  deliveryDueAt: string | null;
  approveDueAt?: string | null;
  isLate: boolean;
  revisionsLeft: number;
  extension: { grantedAt: string | null; refusedAt: string | null } | null;
  /** Whether the buyer can cancel. */
  mayCancel?: boolean;
  /** When the newest proposal of the open dispute counts as accepted. */
  silenceDueAt?: string | null;
  /** The newest check of the link. */
  check?: { verdict: LinkVerdict } | null | undefined;
  /** When the guarantee of the link ends. */
  guaranteeEndsAt?: string | null | undefined;
  /** When a link that was confirmed missing is lost. */
  repairDueAt?: string | null | undefined;
  /** The newest paid change. */
  change?: { state: ChangeState; dueAt: string | null } | undefined;
};
type Facts = {
  /** Null for the seller, who does not see it: what the seller does depends on the placement alone. */
  status: OrderStatus | null;
  /** Null for an order that our team fulfills. */
  placement: Placement | null;
  /** The newest check of the link, or that it was lost; null before the first. */
  verdict?: LinkStanding | null;
};
type Side = 'buyer' | 'seller' | 'staff';

/** Describes the next step of an order for one side of its room. */
export function describeNextStep(side: Side, { status, placement, verdict = null }: Facts): NextStep {
  const toStep =
    placement && !(status !== null && isReopened(status, placement.state)) ? steps[placement.state] : undefined;
  return placement && toStep ? toStep(side, placement, status) : describeStaffWork(side, status, verdict);
}

const step = (title: string, text: string, tone: Tone, dueAt: string | null): NextStep => ({
  title,
  text,
  dueAt,
  tone,
});

const idle = (title: string, text: string, tone: Tone = 'grey'): NextStep => step(title, text, tone, null);
const ended = (title: string) => (side: Side) =>
  idle(
    title,
    side === 'seller'
      ? 'You have nothing left to do.'
      : `The whole amount returned to ${side === 'buyer' ? 'your' : 'the buyer’s'} wallet.`,
  );

/** Undefined for a state in which our team fulfills the order. */
const steps: Record<
  PlacementState,
  ((side: Side, placement: Placement, status: OrderStatus | null) => NextStep) | undefined
> = {
  offered: (side, { answerDueAt: dueAt }) =>
    step(
      side === 'seller' ? 'Accept or decline this order' : 'Waiting for the seller to accept',
      `Without an answer, the order expires and ${side === 'buyer' ? 'you are' : 'the buyer is'} refunded.`,
      side === 'seller' ? 'yellow' : 'blue',
      dueAt,
    ),
  accepted: describePublication,
  in_revision: describePublication,
  delivered: (side, { approveDueAt: dueAt = null, revisionsLeft, check }) => {
    const isInOrder = !check || check.verdict === 'ok';
    const otherwise = isInOrder
      ? 'Without an answer, it is approved.'
      : 'Without an answer, it is approved only when a check finds the link in order.';
    if (side !== 'buyer') {
      const text = `The buyer approves the delivery or asks for a change. ${otherwise}`;
      return step('Waiting for the buyer’s review', text, 'blue', dueAt);
    }
    if (check?.verdict === 'broken') {
      const act = revisionsLeft > 0 ? 'Ask for a change' : 'Open a dispute';
      return step(
        'Review the delivery',
        `The newest check did not find the link. ${act}. ${otherwise}`,
        'yellow',
        dueAt,
      );
    }
    const text = `Approve it${revisionsLeft > 0 ? ' or ask for a change' : ', or open a dispute'}. ${otherwise}`;
    return step('Review the delivery', text, 'yellow', dueAt);
  },
  disputed: (side, { silenceDueAt = null }) => ({
    title: side === 'staff' ? 'A dispute is open' : 'A dispute is open: agree on a share',
    text: silenceDueAt
      ? 'The newest proposal counts as accepted unless the other side answers in time.'
      : 'Either side can propose a share. Our team decides if you do not agree.',
    dueAt: silenceDueAt,
    tone: 'red',
  }),
  approved: (side, placement) => {
    const { check, guaranteeEndsAt = null } = placement;
    if (isNotInOrder(check?.verdict) || placement.repairDueAt) return describeRepair(side, placement);
    const change = describeChange(side, placement);
    if (change) return change;
    if (side !== 'seller') return idle('Live', 'The delivery was approved and the link is live.', 'green');
    const text = 'Keep the link in place until the guarantee ends.';
    return step('Approved', text, 'green', guaranteeEndsAt);
  },
  closed: (side, placement) => {
    const { check } = placement;
    if (side !== 'seller' && check && isNotInOrder(check.verdict))
      return describeLoss(side, { status: 'Completed', verdict: check.verdict }, 'The guarantee of the link is over.');
    return describeChange(side, placement) ?? idle('Completed', 'The order is complete.', 'green');
  },
  lost: () => idle('The link was lost', 'The link is no longer in place.', 'red'),
  settled: (side, _placement, status) =>
    status === 'Refunded'
      ? ended('The order was refunded')(side)
      : idle('The dispute was settled', 'The order is closed.'),
  declined: ended('The order was declined'),
  expired: ended('The order expired'),
  cancelled: ended('The order was canceled'),
  taken_over: undefined,
};

/**
 * Describes the step for a link that the newest check did not find in order. It is missing only when a second check
 * confirmed it.
 */
function describeRepair(side: Side, { check, repairDueAt = null }: Placement): NextStep {
  const isSeller = side === 'seller';
  if (check?.verdict === 'broken' && repairDueAt === null) {
    const text = isSeller
      ? 'Repair it and report the repair. A second check, at least a day later, confirms that it is missing.'
      : 'A second check, at least a day later, confirms whether it is missing.';
    return idle('The newest check did not find the link', text, 'yellow');
  }
  if (repairDueAt === null) {
    const text = isSeller
      ? 'Repair it and report the repair. Nothing becomes payable until then.'
      : 'The seller was asked to repair it.';
    return idle('The link changed', text, 'red');
  }
  const text = isSeller
    ? 'Repair it and report the repair. Otherwise, the part of your share that is not payable yet returns to the buyer.'
    : `The seller was asked to repair it. Otherwise, ${side === 'buyer' ? 'you are' : 'the buyer is'} refunded in part.`;
  return step('The link is missing', text, 'red', repairDueAt);
}

/** Describes the step of an open paid change; null without one. */
function describeChange(side: Side, { change }: Placement): NextStep | null {
  const [isBuyer, isSeller] = [side === 'buyer', side === 'seller'];
  const due = (isTurn: boolean, title: string, text: string) =>
    step(title, text, isTurn ? 'yellow' : 'blue', change?.dueAt ?? null);
  switch (change?.state) {
    case 'asked': {
      const title = isSeller ? 'Answer the requested change' : 'Waiting for the seller to answer the change';
      return due(isSeller, title, 'Without an answer, the change expires and nothing is charged.');
    }
    case 'priced': {
      const title = isBuyer ? 'Answer the price of the change' : 'Waiting for the buyer to answer the price';
      return due(isBuyer, title, 'Without an answer, the change expires and nothing is charged.');
    }
    case 'accepted': {
      const title = isSeller ? 'Make the change, then deliver it' : 'The seller is making the change';
      const wallet = isBuyer ? 'your wallet' : 'the buyer’s wallet';
      return due(isSeller, title, `Without a delivery in time, its price returns to ${wallet}.`);
    }
    case 'delivered': {
      const title = isBuyer ? 'Review the change' : 'Waiting for the buyer’s review of the change';
      return due(isBuyer, title, 'Without an answer, it is approved only when a check finds the link in order.');
    }
    default:
      return null;
  }
}

function describePublication(
  side: Side,
  { state, deliveryDueAt: dueAt, isLate, extension, mayCancel = false }: Placement,
): NextStep {
  const isExtensionAsked = isOpenExtension(extension);
  if (side === 'buyer') {
    if (isExtensionAsked) return step('The seller asks for more days', 'Grant or refuse them.', 'yellow', dueAt);
    if (mayCancel && !isLate)
      return step('The seller agreed to a cancellation', 'You can cancel the order now.', 'yellow', dueAt);
    if (isLate) return step('The delivery is late', 'You can wait, or cancel for a full refund.', 'red', dueAt);
  }
  if (isLate) {
    const text = side === 'seller' ? 'Deliver now: the buyer can cancel.' : 'The buyer can cancel for a full refund.';
    return step('The delivery is late', text, 'red', dueAt);
  }
  const isChange = state === 'in_revision';
  if (side === 'seller') {
    const title = isChange ? 'Make the change, then deliver again' : 'Publish the placement, then deliver its URL';
    const text = isExtensionAsked
      ? 'Your request for more days waits for the buyer.'
      : 'You can ask for more days once.';
    return step(title, text, 'yellow', dueAt);
  }
  const title = isChange ? 'The seller is making the change' : 'The seller is preparing the placement';
  const text = `If it is late, ${side === 'buyer' ? 'you' : 'the buyer'} can cancel for a full refund.`;
  return step(title, text, 'blue', dueAt);
}

const isNotInOrder = (verdict: LinkStanding | null | undefined): boolean =>
  verdict === 'changed' || verdict === 'broken' || verdict === 'lost';

/** Describes a published link that is not as ordered, in the words of the order's status. */
const describeLoss = (
  side: Side,
  facts: { status: OrderStatus; verdict: LinkStanding | null },
  text: string,
): NextStep => {
  const { label, tone } = describeOrderStatus(facts, side);
  return idle(label, text, tone);
};

/** Describes the next step of an order that our team fulfills. A seller sees it after our team took over. */
function describeStaffWork(side: Side, status: OrderStatus | null, verdict: LinkStanding | null): NextStep {
  if (side === 'seller' || status === null)
    return idle('Our team took over this order', 'You have nothing left to do.');
  const isBuyer = side === 'buyer';
  switch (status) {
    case 'Pending':
      return idle(
        isBuyer ? 'Our team will start soon' : 'Waiting for our team',
        isBuyer ? 'We’ll write here if we need anything.' : 'Set the status to Processing when the work begins.',
        isBuyer ? 'blue' : 'yellow',
      );
    case 'Processing':
      return idle('Our team is working on this order', 'The live link appears here once it is published.', 'blue');
    case 'Live':
    case 'Completed':
      if (isNotInOrder(verdict)) {
        const text = isBuyer
          ? 'Write here, and our team will look into it.'
          : 'Put the link back, then check it again.';
        return describeLoss(side, { status, verdict }, text);
      }
      return idle('Completed', 'The order is complete.', 'green');
    case 'Rejected':
      return idle('The order was rejected', isBuyer ? 'Write here if you have questions.' : 'The order is closed.');
    case 'Refunded':
      return idle('Refunded', `The amount returned to ${isBuyer ? 'your' : 'the buyer’s'} wallet.`);
  }
}
