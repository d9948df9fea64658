import { describe, expect, it } from 'vitest';
import type { PlacementRow } from '@/lib/orders/contract';
import { getExpectedEarning } from '@/lib/orders/placements/expected-earning';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

const placement: PlacementRow = {
  ...{ orderId: 1, sellerId: 's', buyerId: 'b', state: 'offered', sellerCents: 5_000, marginCents: 1_000 },
  ...{ sellerReturnedCents: 0, marginReturnedCents: 0, turnaroundDays: 7, answerDueAt: at(2), deliveryDueAt: at(9) },
  ...{ answer: null, answerRole: null, answeredAt: null },
  ...{ extensionDays: null, extensionReason: '', extensionAskedAt: null, extensionGrantedAt: null },
  ...{ extensionRefusedAt: null, releasedAt: null, deliveredAt: null, deliveredUrl: '', approveDueAt: at(15) },
  ...{ revisionsUsed: 0, wasLate: false, approvedAt: null, approvalPercent: 40, guaranteeDays: 90, ripenedCents: 0 },
  ...{ addedDays: 0, guaranteeCents: 0, deliveryReason: '' },
  ...{ guaranteeStartsAt: null, ripenCount: 0, endedAt: null, nextActionAt: null, clockRetries: 0, remindedAt: null },
  ...{ version: 0, createdAt: at(1), updatedAt: at(1), disputeId: null, maxRevisions: 3, linkVerdict: null },
  ...{ linkCheckedAt: null, linkRepairDueAt: null, proofId: null },
};
const approved: Partial<PlacementRow> = {
  ...{ state: 'approved', approvedAt: at(10), guaranteeStartsAt: at(10), ripenedCents: 2_000, linkVerdict: 'ok' },
};
const reasonOf = (changes: Partial<PlacementRow>) => getExpectedEarning({ ...placement, ...changes }).notYet;

describe('what a placement still brings', () => {
  it('is the share without what is payable and what returned', () => {
    expect(getExpectedEarning({ ...placement, ...approved, sellerReturnedCents: 500 })).toMatchObject({
      ...{ shareCents: 4_500, ripeCents: 2_000, openCents: 2_500, atApprovalCents: 2_000 },
    });
  });

  it.each<[name: string, changes: Partial<PlacementRow>, expected: unknown]>([
    ['an offer', {}, { reason: 'answer', until: at(2).toISOString() }],
    ['an accepted order', { state: 'accepted' }, { reason: 'publish', until: at(9).toISOString() }],
    ['a requested change', { state: 'in_revision', deliveryDueAt: null }, { reason: 'publish', until: null }],
    ['a delivery', { state: 'delivered' }, { reason: 'review', until: at(15).toISOString() }],
    ['a dispute', { ...approved, state: 'disputed' }, { reason: 'dispute' }],
    ['a standing link', approved, { reason: 'ripening', perDayCents: 33, until: at(100).toISOString() }],
    ['a link that was not checked', { ...approved, linkVerdict: null }, { reason: 'ripening', perDayCents: 33 }],
    ['a broken link', { ...approved, linkVerdict: 'broken' }, { reason: 'missing', until: null }],
    [
      'a link to repair',
      { ...approved, linkVerdict: 'broken', linkRepairDueAt: at(20) },
      { reason: 'missing', until: at(20).toISOString() },
    ],
    ['a changed link', { ...approved, linkVerdict: 'changed' }, { reason: 'changed' }],
    ['a page that could not be read', { ...approved, linkVerdict: 'unknown' }, { reason: 'unknown' }],
    [
      'a longer guarantee, which ripens at its end',
      { ...approved, guaranteeCents: 1_000, guaranteeDays: 40, ripenedCents: 1_600 },
      { reason: 'ripening', perDayCents: 60, atEndCents: 1_000 },
    ],
    [
      'the end of an extended guarantee',
      { ...approved, guaranteeCents: 1_000, addedDays: 30, ripenedCents: 4_000 },
      { reason: 'ripening', perDayCents: 0, atEndCents: 1_000, until: at(130).toISOString() },
    ],
    ['no guarantee', { ...approved, guaranteeDays: 0 }, { reason: 'ripening', perDayCents: 3_000 }],
  ])('waits because of %s', (_, changes, expected) => {
    expect(reasonOf(changes)).toMatchObject(Object(expected));
  });

  it('waits for nothing when all of it is payable or the placement is over', () => {
    expect(reasonOf({ ...approved, ripenedCents: 5_000 })).toBeNull();
    expect(reasonOf({ state: 'closed', ripenedCents: 4_000 })).toBeNull();
  });
});
