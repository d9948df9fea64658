import { describe, expect, it } from 'vitest';
import { formatLeft } from '@/components/orders/room/countdown';
import { describeNextStep } from '@/components/orders/room/next-step';
import type { LinkVerdict } from '@/db/schema/links';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';

const dates = {
  answerDueAt: '2026-11-26T12:00:00.000Z',
  deliveryDueAt: '2026-12-01T12:00:00.000Z',
  approveDueAt: '2026-12-08T12:00:00.000Z',
};
type Extension = { grantedAt: string | null; refusedAt: string | null } | null;
const placement = { ...dates, isLate: false, revisionsLeft: 3, extension: null as Extension, mayCancel: false };
const asked = { grantedAt: null, refusedAt: null };
const sides = ['buyer', 'seller', 'staff'] as const;

describe('the next step', () => {
  it('of each side in each state has its clock', () => {
    const clocks = { offered: dates.answerDueAt, accepted: dates.deliveryDueAt, in_revision: dates.deliveryDueAt };
    for (const state of placementStates) {
      for (const side of sides) {
        const { title, text, dueAt } = describeNextStep(side, {
          status: 'Processing',
          placement: { ...placement, state },
        });
        expect(`${title} ${text}`).not.toMatch(/undefined|null|NaN/);
        const expected = { ...clocks, delivered: dates.approveDueAt };
        expect([state, side, dueAt]).toEqual([state, side, new Map(Object.entries(expected)).get(state) ?? null]);
      }
    }
  });

  it('of an order that our team fulfills follows its status', () => {
    for (const status of orderStatuses) {
      const titles = sides.map((side) => describeNextStep(side, { status, placement: null }).title);
      expect(titles.every((title) => title.length > 5)).toBe(true);
    }
    const takenOver = { ...placement, state: 'taken_over' as const };
    expect(describeNextStep('buyer', { status: 'Processing', placement: takenOver }).title).toBe(
      'Our team is working on this order',
    );
    expect(describeNextStep('seller', { status: null, placement: takenOver }).title).toBe(
      'Our team took over this order',
    );
  });

  it('of the buyer is what waits for the buyer', () => {
    const step = (changes: Partial<typeof placement>) =>
      describeNextStep('buyer', { status: 'Processing', placement: { ...placement, state: 'accepted', ...changes } })
        .title;
    expect(step({})).toBe('The seller is preparing the placement');
    expect(step({ extension: asked })).toBe('The seller asks for more days');
    expect(step({ isLate: true, mayCancel: true })).toBe('The delivery is late');
    expect(step({ mayCancel: true })).toBe('The seller agreed to a cancellation');
  });

  it('of a link calls it missing only when a second check confirmed it, with the end of the time to repair it', () => {
    const link = (verdict: 'changed' | 'broken', repairDueAt: string | null) =>
      describeNextStep('seller', {
        status: null,
        placement: { ...placement, state: 'approved', check: { verdict }, repairDueAt },
      });
    expect(link('changed', null).title).toBe('The link changed');
    expect(link('broken', null)).toMatchObject({ title: 'The newest check did not find the link', dueAt: null });
    expect(link('broken', dates.approveDueAt)).toMatchObject({
      title: 'The link is missing',
      dueAt: dates.approveDueAt,
    });
  });

  it('of a delivery promises an approval without an answer only while the link is in order', () => {
    const text = (side: (typeof sides)[number], verdict: LinkVerdict) =>
      describeNextStep(side, {
        status: 'Processing',
        placement: { ...placement, state: 'delivered', check: { verdict } },
      }).text;
    for (const side of sides) {
      expect(text(side, 'ok')).toMatch(/Without an answer, it is approved\.$/);
      for (const verdict of ['changed', 'broken', 'unknown'] as const)
        expect(text(side, verdict)).toMatch(/it is approved only when a check finds the link in order\.$/);
    }
  });

  it('of an open paid change is what waits for a side, and a link to repair comes first', () => {
    const { approveDueAt: dueAt } = dates;
    const turns = { asked: 'seller', priced: 'buyer', accepted: 'seller', delivered: 'buyer' } as const;
    for (const state of ['approved', 'closed'] as const) {
      for (const change of ['asked', 'priced', 'accepted', 'delivered'] as const)
        for (const side of sides) {
          const step = describeNextStep(side, {
            ...{ status: 'Live', placement: { ...placement, state, change: { state: change, dueAt } } },
          });
          expect(step, `${state} ${change} ${side}`).toMatchObject({
            ...{ dueAt, tone: turns[change] === side ? 'yellow' : 'blue' },
          });
        }
      const over = { ...placement, state, change: { state: 'withdrawn' as const, dueAt: null } };
      expect(describeNextStep('buyer', { status: 'Live', placement: over }).tone).toBe('green');
    }
    const broken = {
      ...placement,
      state: 'approved' as const,
      repairDueAt: dueAt,
      check: { verdict: 'broken' as const },
    };
    const facts = { status: null, placement: { ...broken, change: { state: 'asked' as const, dueAt } } };
    expect(describeNextStep('seller', facts).title).toBe('The link is missing');
  });

  it('of an order that staff reopened or refunded later follows its status', () => {
    const title = (state: (typeof placementStates)[number], status: (typeof orderStatuses)[number]) =>
      describeNextStep('buyer', { status, placement: { ...placement, state } }).title;
    expect(title('declined', 'Refunded')).toBe('The order was declined');
    expect(title('declined', 'Processing')).toBe('Our team is working on this order');
    expect(title('cancelled', 'Live')).toBe('Completed');
    expect(title('closed', 'Refunded')).toBe('Refunded');
    expect(title('settled', 'Live')).toBe('The dispute was settled');
    expect(title('settled', 'Refunded')).toBe('The order was refunded');
    for (const [state, expected] of [
      ['declined', 'The order was declined'],
      ['closed', 'Completed'],
      ['settled', 'The dispute was settled'],
    ] as const)
      expect(describeNextStep('seller', { status: null, placement: { ...placement, state } }).title).toBe(expected);
  });
});

it.each([
  [3 * 86_400_000 + 4 * 3_600_000, '3 d 04 h'],
  [47 * 3_600_000 + 5 * 60_000, '47 h 05 m'],
  [59 * 60_000 + 30_000, '59 m 30 s'],
  [1, '00 m 00 s'],
  [0, 'Overdue'],
  [-5, 'Overdue'],
])('the time left of %i ms is shown as %s', (leftMs, text) => {
  expect(formatLeft(leftMs)).toBe(text);
});
