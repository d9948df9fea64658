import { describe, expect, it } from 'vitest';
import {
  describeMove,
  describeStatus,
  findObstacle,
  movedCents,
} from '@/app/(admin)/dashboard/features/orders/_components/describe-status-change';
import { orderStatuses } from '@/db/schema/orders';
import type { PlacementState } from '@/db/schema/placements';
import type { AdminOrderDetails } from '@/lib/orders/contract';

type Status = AdminOrderDetails['status'];

function makeView(status: Status, state: PlacementState | null): AdminOrderDetails {
  const text = { website: '', postType: '', packageName: '', packageDesc: '', adminComments: '', linkUrl: '' };
  const project = { projectId: '', projectDomain: '', projectTargetUrl: '', projectKeywords: '' };
  const at = '2026-11-23T12:00:00.000Z';
  const dates = { answerDueAt: at, deliveryDueAt: at, approveDueAt: null, approvedAt: null };
  const placement = state && {
    ...{
      state,
      ...dates,
      deliveredUrl: null,
      deliveryReason: null,
      revisionsLeft: 3,
      version: 1,
      disputeId: null,
      extension: null,
    },
    ...{ isLate: false, mayCancel: false, check: null, guaranteeEndsAt: null, repairDueAt: null, proofId: null },
  };
  return {
    ...{ id: 12, userId: '', createdAt: at, updatedAt: at, kind: 'custom', quantity: 1, price: 120, currency: 'USD' },
    ...{
      chargedCents: 12_000,
      status,
      ...text,
      ...project,
      contentPath: null,
      content_path: null,
      contentFileName: null,
    },
    ...{ userName: '', userEmail: '', version: 1, brief: null, options: [], placement, earnsCents: 8_000 },
    taxCents: 0,
    ...{ netPaidCents: status === 'Refunded' ? 0 : 12_000, rechargeCents: status === 'Refunded' ? 12_000 : 0 },
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
      expect(say('Pending', state, 'Live', 'https://example.com/a')).toBeUndefined();
      expect(say('Pending', state, 'Live')).toBe('Live needs a live link. Add it first.');
    },
  );

  it.each<[Status, Status, number, number, string | undefined]>([
    ['Live', 'Refunded', 4_800, 0, 'Saving returns $48.00 to the buyer’s wallet.'],
    ['Live', 'Refunded', 0, 0, 'Saving moves no money: everything was returned before.'],
    ['Live', 'Rejected', 4_800, 0, 'Rejected doesn’t move money. “Reject and refund” returns $48.00.'],
    ['Live', 'Rejected', 0, 0, undefined],
    ['Refunded', 'Live', 0, 4_800, 'Saving takes $48.00 from the buyer’s wallet again.'],
    ['Refunded', 'Live', 0, 0, 'Saving moves no money: what was returned stays returned.'],
  ])(
    'with the money that is left: %s, %s after %i and %i cents',
    (status, wanted, netPaidCents, rechargeCents, text) => {
      const order = { ...makeView(status, 'lost'), netPaidCents, rechargeCents };
      const linkUrl = 'https://example.com/a';
      expect(describeStatus(order, { status: wanted, linkUrl, adminComments: '' })).toBe(text);
    },
  );
});

describe('the statuses that an order can have next', () => {
  const impossible = (status: Status, state: PlacementState | null, linkUrl = '', more = {}) =>
    orderStatuses.filter(
      (one) => findObstacle({ ...makeView(status, state), ...more }, { linkUrl }, one) !== undefined,
    );
  const link = 'https://example.com/a';

  it.each<[Status, PlacementState | null, string, object, Status[]]>([
    ['Processing', null, '', { website: 'https://a.example' }, ['Live', 'Completed']],
    ['Processing', null, link, { website: 'https://a.example' }, []],
    ['Processing', null, '', { website: 'https://a.example', contentPath: '/file' }, ['Live', 'Completed']],
    // A package can be delivered as a file.
    ['Processing', null, '', {}, ['Live', 'Completed']],
    ['Processing', null, '', { contentPath: '/file' }, ['Live']],
    // What an order already is, is no change.
    ['Completed', null, '', {}, ['Live']],
    ['Refunded', 'declined', '', {}, ['Live', 'Completed']],
    ['Pending', 'offered', '', {}, ['Live', 'Completed']],
    ['Pending', 'offered', link, {}, []],
    ['Processing', 'accepted', '', {}, ['Pending', 'Live', 'Completed']],
    ['Processing', 'delivered', '', {}, ['Pending']],
    ['Processing', 'disputed', link, {}, ['Pending', 'Live', 'Completed', 'Rejected']],
    ['Live', 'approved', '', {}, ['Pending', 'Processing', 'Rejected']],
  ])('%s, %s, link "%s", %o: not %j', (status, state, linkUrl, more, expected) => {
    expect(impossible(status, state, linkUrl, more)).toEqual(expected);
  });

  it('include one for a package whose file is about to be uploaded', () => {
    expect(findObstacle(makeView('Processing', null), { linkUrl: '' }, 'Completed', true)).toBeUndefined();
  });
});

describe('the question before a status moves money', () => {
  const change = (status: Status, wanted: Status) => {
    const order = {
      ...makeView(status, 'lost'),
      netPaidCents: 4_800,
      rechargeCents: 3_600,
      userEmail: 'a@example.com',
    };
    const edit = { status: wanted, linkUrl: 'https://example.com/a', adminComments: '' };
    return { cents: movedCents(order, edit), ...describeMove(order, edit) };
  };

  it('names the amount that the server moves, in both directions', () => {
    expect(change('Live', 'Refunded')).toEqual({
      cents: 4_800,
      title: 'Refund $48.00 for order #12?',
      description:
        'Saving returns $48.00 to the buyer’s wallet. The buyer is a@example.com. Your other changes are saved with it.',
      confirmLabel: 'Refund',
    });
    expect(change('Refunded', 'Live')).toMatchObject({
      cents: 3_600,
      title: 'Charge $36.00 for order #12 again?',
      description: expect.stringContaining('Saving takes $36.00 from the buyer’s wallet again.'),
    });
  });

  it('is not asked for another change', () => {
    expect(change('Live', 'Live').cents).toBe(0);
    expect(change('Refunded', 'Refunded').cents).toBe(0);
  });
});
