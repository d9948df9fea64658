import { expect, it } from 'vitest';
import { linkStandings } from '@/db/schema/links';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { describeOrderStatus, type StatusFacts } from '@/lib/orders/describe-status';

type Row = [state: (typeof placementStates)[number] | null, status: StatusFacts['status'], more: object, label: string];

const placed = ([state, status, more]: Row): StatusFacts => ({
  status,
  placement: state && { state, isLate: false, ...more },
  verdict: null,
  ...more,
});

const toBuyers: Row[] = [
  ['offered', 'Pending', {}, 'Pending'],
  ['accepted', 'Processing', {}, 'Processing'],
  ['accepted', 'Processing', { isLate: true }, 'Late'],
  ['in_revision', 'Processing', {}, 'Change requested'],
  ['delivered', 'Processing', { verdict: 'ok' }, 'Delivered'],
  ['delivered', 'Processing', { verdict: 'broken' }, 'Link not found'],
  ['disputed', 'Processing', { verdict: 'ok' }, 'Disputed'],
  ['disputed', 'Completed', { verdict: 'ok' }, 'Disputed'],
  ['approved', 'Completed', { verdict: 'ok' }, 'Completed'],
  ['approved', 'Live', { verdict: 'unknown' }, 'Completed'],
  ['approved', 'Completed', { verdict: 'changed' }, 'Link changed'],
  ['approved', 'Completed', { verdict: 'broken' }, 'Link not found'],
  ['approved', 'Completed', { verdict: 'broken', repairDueAt: '2026-01-01' }, 'Link missing'],
  ['lost', 'Completed', { verdict: 'lost' }, 'Link lost'],
  ['closed', 'Completed', { verdict: 'ok' }, 'Completed'],
  ['settled', 'Completed', {}, 'Settled'],
  ['settled', 'Refunded', {}, 'Refunded'],
  ['declined', 'Refunded', {}, 'Refunded'],
  ['taken_over', 'Processing', {}, 'Processing'],
  // Staff changed the status after the placement was over.
  ['lost', 'Rejected', {}, 'Rejected'],
  ['declined', 'Pending', {}, 'Pending'],
  [null, 'Live', { verdict: 'lost' }, 'Link lost'],
  [null, 'Live', {}, 'Completed'],
  [null, 'Refunded', { verdict: 'broken' }, 'Refunded'],
];

it('one line says where an order stands, and never two things', () => {
  expect(toBuyers.map((row) => describeOrderStatus(placed(row), 'buyer').label)).toEqual(
    toBuyers.map(([, , , label]) => label),
  );
  expect(describeOrderStatus({ status: 'Live', placement: null, verdict: null }, 'staff').label).toBe('Live');
  const ofSeller = (state: (typeof placementStates)[number], more = {}) =>
    describeOrderStatus(placed([state, null, more, '']), 'seller').label;
  expect(ofSeller('approved', { verdict: 'broken' })).toBe('Link not found');
  expect(ofSeller('approved', { verdict: 'broken', repairDueAt: '2026-01-01' })).toBe('To repair');
  expect(ofSeller('approved', { verdict: 'changed' })).toBe('To repair');
  expect(placementStates.map((state) => ofSeller(state))).not.toContain('Refunded');
});

it('a link that was lost or not found is never shown as live, completed or approved', () => {
  for (const verdict of linkStandings)
    for (const state of [...placementStates, null])
      for (const status of [...orderStatuses, null])
        for (const side of ['buyer', 'seller', 'staff'] as const) {
          if (state === 'closed') continue;
          const { label } = describeOrderStatus(
            { status, placement: state && { state, isLate: false }, verdict },
            side,
          );
          if (verdict === 'lost' || verdict === 'broken')
            expect(['Live', 'Completed', 'Approved']).not.toContain(label);
        }
});
