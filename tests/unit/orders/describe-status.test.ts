import { expect, it } from 'vitest';
import { describeNextStep } from '@/components/orders/room/next-step';
import { linkStandings } from '@/db/schema/links';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { describeAddress, describeOrderStatus, type StatusFacts } from '@/lib/orders/describe-status';

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
  // A later check cannot tell whether the missing link is back.
  ['approved', 'Live', { verdict: 'unknown', repairDueAt: '2026-01-01' }, 'Link missing'],
  ['lost', 'Completed', { verdict: 'lost' }, 'Link lost'],
  ['closed', 'Completed', { verdict: 'ok' }, 'Completed'],
  ['closed', 'Completed', { verdict: 'broken' }, 'Link not found'],
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

const dates = { answerDueAt: '2026-01-01', deliveryDueAt: '2026-01-02', approveDueAt: '2026-01-03' };
const published = ['Live', 'Completed', 'Approved'];
const isUnclear = (verdict: StatusFacts['verdict']) => verdict === 'broken' || verdict === 'unknown';
const absent = ['Link lost', 'Link missing', 'Link not found'];

it('the status, the next step and the name of the address never contradict the newest check', () => {
  // A repair is due only under the guarantee.
  for (const verdict of [...linkStandings, null])
    for (const state of [...placementStates, null])
      for (const status of [...orderStatuses, null])
        for (const side of ['buyer', 'seller', 'staff'] as const)
          for (const repairDueAt of state === 'approved' && isUnclear(verdict) ? [null, '2026-01-09'] : [null]) {
            // The seller owes nothing after the guarantee.
            if (state === 'closed' && side === 'seller') continue;
            const isLost = verdict === 'lost';
            const check = verdict && { verdict: isLost ? ('broken' as const) : verdict };
            const placement = state && {
              ...{ ...dates, state, isLate: false, revisionsLeft: 1, extension: null, check, repairDueAt },
            };
            const facts = { status, placement, verdict };
            const row = JSON.stringify([state, status, verdict, repairDueAt, side]);
            const { label } = describeOrderStatus(facts, side);
            const { title, tone } = describeNextStep(side, facts);
            if (isLost || verdict === 'broken' || repairDueAt) expect(published, row).not.toContain(label);
            if (absent.includes(label)) expect(published, row).not.toContain(title);
            if (published.includes(label)) expect([title, tone], row).not.toContain('red');
            if (side === 'buyer' && absent.includes(label)) expect(describeAddress(facts), row).toBe('Published page');
            if (side === 'buyer' && published.includes(label)) expect(describeAddress(facts), row).toBe('Live link');
          }
});
