import { describe, expect, it } from 'vitest';
import { describeStatus } from '@/app/(admin)/dashboard/features/orders/_components/describe-status';
import type { PlacementState } from '@/db/schema/placements';
import type { AdminOrderView } from '@/lib/orders/views';

type Status = AdminOrderView['status'];

function makeView(status: Status, state: PlacementState | null): AdminOrderView {
  const text = { website: '', postType: '', packageName: '', packageDesc: '', adminComments: '', linkUrl: '' };
  const project = { projectId: '', projectDomain: '', projectTargetUrl: '', projectKeywords: '' };
  const at = '2026-11-23T12:00:00.000Z';
  const dates = { answerDueAt: at, deliveryDueAt: at, approveDueAt: null, approvedAt: null };
  const placement = state && {
    ...{ state, ...dates, deliveredUrl: null, revisionsLeft: 3, version: 1, disputeId: null, extension: null },
    ...{ isLate: false, mayCancel: false },
  };
  return {
    ...{ id: 12, userId: '', createdAt: at, updatedAt: at, kind: 'custom', quantity: 1, price: 120, currency: 'USD' },
    ...{ chargedCents: 12_000, status, ...text, ...project, contentPath: null, contentFileName: null },
    ...{ userName: '', userEmail: '', version: 1, placement, earnsCents: 8_000 },
  };
}

const say = (status: Status, state: PlacementState | null, wanted: Status, linkUrl = '') =>
  describeStatus(makeView(status, state), { status: wanted, linkUrl, adminComments: '' });

describe('the edit dialog says what a status does', () => {
  it.each<[Status, PlacementState, Status, string]>([
    ['Processing', 'accepted', 'Refunded', 'Refunded cancels the placement and returns $120.00.'],
    ['Processing', 'delivered', 'Live', 'Live approves the delivery: the seller earns $80.00.'],
    ['Processing', 'accepted', 'Live', 'Enter the live link: the seller has not delivered yet.'],
    ['Pending', 'offered', 'Processing', 'Processing accepts the order for the seller.'],
    ['Processing', 'disputed', 'Live', 'The order is disputed: decide the dispute first, or choose Refunded.'],
    ['Live', 'approved', 'Rejected', 'The delivery was approved: choose Completed or Refunded.'],
    ['Live', 'approved', 'Completed', 'Completed closes the placement. The seller keeps the earnings.'],
    ['Live', 'approved', 'Refunded', 'Refunded settles the placement and returns $120.00: the seller keeps nothing.'],
    [
      'Processing',
      'in_revision',
      'Rejected',
      'Rejected takes the order over from the seller, who earns nothing. $120.00 stays with you until you refund it.',
    ],
  ])('%s, %s → %s', (status, state, wanted, text) => {
    expect(say(status, state, wanted)).toBe(text);
  });

  it('for a link alone', () => {
    const text = 'The link approves the delivery: the seller earns $80.00.';
    expect(say('Processing', 'accepted', 'Processing', 'https://example.com/a')).toBe(text);
    expect(say('Live', 'approved', 'Live', 'https://example.com/a')).toBeUndefined();
  });

  it.each([null, 'taken_over', 'declined'] as const)(
    'without a placement that continues (%s), for the wallet',
    (state) => {
      expect(say('Pending', state, 'Refunded')).toBe('Saving returns $120.00 to the buyer’s wallet.');
      expect(say('Pending', state, 'Live')).toBeUndefined();
    },
  );
});
