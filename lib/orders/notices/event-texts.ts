import type { PlacementRole, placementEvents } from '@/db/schema/placements';
import { formatMoney, walletCurrency } from '@/lib/money';

type PlacementEvent = Pick<
  typeof placementEvents.$inferSelect,
  'action' | 'fromState' | 'role' | 'reason' | 'note' | 'returnedCents'
>;
type Side = 'buyer' | 'seller' | 'staff';
type Described = { texts: string[]; note: string };

/**
 * Describes a step of a placement for one side; null for a step that the room does not show. The seller does not learn
 * what was returned to the buyer, which would reveal the price.
 */
export function describeEvent(event: PlacementEvent, side: Side): Described | null {
  const { action, fromState, role, reason, note, returnedCents } = event;
  const toText = Object.hasOwn(descriptions, action) ? descriptions[action] : undefined;
  if (!toText) return null;
  const text = toText({ who: role === side ? 'You' : actors[role], fromState, role, side, note });
  const returned =
    returnedCents > 0 && side !== 'seller'
      ? `${formatMoney(returnedCents, walletCurrency)} was returned to ${side === 'buyer' ? 'your' : "the buyer's"} wallet.`
      : '';
  const words = textsOfNote.includes(action) ? reason : [reason, note].filter(Boolean).join('\n');
  return { texts: [text, returned].filter(Boolean), note: words };
}

/** The steps whose note is part of the text. */
const textsOfNote = ['extension_asked', 'proposal_made'];

const actors: Record<PlacementRole, string> = {
  buyer: 'The buyer',
  seller: 'The seller',
  staff: 'Our team',
  system: 'The system',
};

type Step = {
  /** The actor as the beginning of a sentence. */
  who: string;
  fromState: PlacementEvent['fromState'];
  role: PlacementRole;
  side: Side;
  note: string;
};

/** By the action of the event (lib/orders/contract.ts). */
const descriptions: Record<string, (step: Step) => string> = {
  ordered: ({ side }) => (side === 'seller' ? 'Your site was ordered.' : 'The order was offered to the seller.'),
  brief_changed: ({ who }) => `${who} changed the brief.`,
  accepted: ({ who }) => `${who} accepted the order.`,
  declined: ({ who }) => `${who} declined the order.`,
  expired: ({ side }) => `${side === 'seller' ? 'You' : 'The seller'} did not answer in time, so the order expired.`,
  cancelled: ({ who, role }) =>
    role === 'system' ? 'The order was canceled because the delivery was late.' : `${who} canceled the order.`,
  delivered: ({ who }) => `${who} delivered the placement.`,
  revision_requested: ({ who }) => `${who} asked for a change.`,
  approved: ({ who, role }) =>
    role === 'system'
      ? 'The delivery was approved, because it was not answered in time.'
      : `${who} approved the delivery.`,
  closed: ({ who, role }) => (role === 'system' ? 'The order was closed.' : `${who} closed the order.`),
  taken_over: ({ who }) => `${who} took over the order.`,
  disputed: ({ who }) => `${who} opened a dispute.`,
  dispute_withdrawn: ({ who, role }) =>
    role === 'system' ? 'The dispute was withdrawn.' : `${who} withdrew the dispute.`,
  settled: describeSettlement,
  proposal_made: ({ who, note }) => note || `${who} made a proposal.`,
  extension_asked: ({ who, note }) => `${who} asked for ${note === '1' ? 'one more day' : `${note} more days`}.`,
  extension_granted: ({ who }) => `${who} granted more days.`,
  extension_refused: ({ who }) => `${who} refused more days.`,
  released: ({ who, side }) =>
    `${who} agreed to a cancellation.${side === 'buyer' ? ' You can cancel the order now.' : ''}`,
  became_late: () => 'The delivery is late.',
  link_changed: () => 'A check found the link changed.',
  link_broken: () => 'The link is missing: two checks a day apart did not find it.',
  link_repaired: () => 'A check found the link in order again.',
  lost: () => 'The link was not repaired in time.',
};

function describeSettlement({ who, role, fromState }: Step): string {
  if (role === 'system') return 'The proposal was not answered in time, which settled the dispute.';
  if (role !== 'staff') return `${who} accepted the proposal, which settled the dispute.`;
  return fromState === 'disputed' ? `${who} decided the dispute.` : `${who} settled the order.`;
}
