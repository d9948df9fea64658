import { describe, expect, it } from 'vitest';
import { orderStatuses } from '@/db/schema/orders';
import { placementStates } from '@/db/schema/placements';
import { describeSteps, type StepFacts, type StepTimes } from '@/lib/orders/notices/steps';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const none: StepTimes = { events: new Map(), statuses: new Map() };
const placement: NonNullable<StepFacts['placement']> = {
  state: 'offered',
  answerDueAt: at(2),
  deliveryDueAt: at(9),
  approveDueAt: at(16),
  approvedAt: null,
  isLate: false,
};
const facts: StepFacts = {
  status: 'Pending',
  orderedAt: at(1),
  hasFile: false,
  hasLiveLink: false,
  article: null,
  placement,
};
const approvedStates = ['approved', 'closed', 'lost'];
const show = (shown: Partial<StepFacts>, times: StepTimes = none) =>
  describeSteps({ ...facts, ...shown }, times).map(({ label, state }) => `${label}: ${state}`);

describe('the steps of an order', () => {
  it('have one current step at most, nothing done after a step to come, and times only where something was done', () => {
    for (const state of placementStates)
      for (const status of [null, ...orderStatuses])
        for (const article of [null, 'missing', 'uploaded'] as const)
          for (const [hasPlacement, hasFile] of [
            [true, true],
            [true, false],
            [false, true],
            [false, false],
          ] as const) {
            if (!hasPlacement && status === null) continue;
            const approvedAt = approvedStates.includes(state) ? at(12) : null;
            const events = new Map([[state, at(20)]]);
            const placed = hasPlacement ? { ...placement, state, approvedAt, guaranteeEndsAt: at(28) } : null;
            const steps = describeSteps(
              { ...facts, status, article, hasFile, placement: placed },
              { events, statuses: new Map<string, string>(status ? [[status, at(21)]] : []) },
            );
            const name = JSON.stringify({ state, status, article, hasPlacement, hasFile, steps });
            expect(steps[0], name).toEqual({ label: 'Ordered', state: 'done', at: at(1), due: null });
            expect(new Set(steps.map(({ label }) => label)).size, name).toBe(steps.length);
            const states = steps.map((step) => step.state);
            const current = states.indexOf('current');
            expect(states.filter((one) => one === 'current').length, name).toBeLessThanOrEqual(1);
            if (current >= 0) {
              expect(states.slice(0, current), name).not.toContain('upcoming');
              expect(states.slice(current), name).not.toContain('done');
              expect(states, name).not.toContain('failed');
            } else expect(states, name).not.toContain('upcoming');
            for (const step of steps) {
              if (step.state === 'upcoming' || step.state === 'current') expect(step.at, name).toBeNull();
              else expect(step.due, name).toBeNull();
            }
            // A seller learns nothing of the buyer's money.
            if (status === null)
              expect(
                steps.map(({ label }) => label),
                name,
              ).not.toContain('Refunded');
          }
  });

  it('of a seller lead from the order to the end of the guarantee', () => {
    const way = (state: (typeof placementStates)[number], more: Partial<typeof placement> = {}) =>
      describeSteps({ ...facts, status: 'Completed', placement: { ...placement, state, ...more } }, none);
    const currentOf = (steps: ReturnType<typeof way>) => steps.find(({ state }) => state === 'current');
    expect(currentOf(way('offered'))).toMatchObject({ label: 'Accepted', due: { text: 'Answer by', at: at(2) } });
    expect(currentOf(way('accepted'))).toMatchObject({
      label: 'Published',
      due: { text: 'Publish by', isLate: false },
    });
    expect(currentOf(way('in_revision', { isLate: true }))?.due).toMatchObject({ at: at(9), isLate: true });
    expect(currentOf(way('delivered'))).toMatchObject({ label: 'Live', due: { text: 'Review ends' } });
    const live = { approvedAt: at(12), guaranteeEndsAt: at(28) };
    expect(currentOf(way('approved', live))).toMatchObject({
      label: 'Guarantee',
      due: { text: 'In guarantee until', at: at(28) },
    });
    expect(currentOf(way('approved', { ...live, repairDueAt: at(20) }))?.due?.text).toBe('Repair by');
    expect(way('closed', live).at(-1)?.label).toBe('Guarantee over');
    expect(way('closed', live).every(({ state }) => state === 'done')).toBe(true);
    expect(way('closed', { approvedAt: at(12) }).at(-1)?.label).toBe('Completed');
  });

  it('show an article of the buyer, and a delivered file, as the content', () => {
    const accepted = { ...placement, state: 'accepted' as const };
    expect(show({ placement: accepted, article: 'missing' })).toContain('Content: current');
    expect(show({ placement: accepted, article: 'uploaded' })).toContain('Content: done');
    expect(show({ article: 'uploaded' })).toContain('Content: upcoming');
    expect(show({ placement: accepted, hasFile: true })).toContain('Content: done');
    expect(show({ placement: accepted })).toEqual([
      ...['Ordered: done', 'Accepted: done', 'Published: current', 'Live: upcoming', 'Completed: upcoming'],
    ]);
  });

  it('end honestly: refused, disputed, settled, lost and refunded', () => {
    const of = (state: (typeof placementStates)[number], status: StepFacts['status'], more = {}) =>
      show(
        { status, placement: { ...placement, state, ...more } },
        {
          events: new Map([
            ['accepted', at(2)],
            ['disputed', at(5)],
          ]),
          statuses: new Map(),
        },
      );
    expect(of('declined', 'Refunded')).toEqual([
      ...['Ordered: done', 'Accepted: done', 'Declined: failed', 'Refunded: done'],
    ]);
    expect(show({ status: null, placement: { ...placement, state: 'declined' } })).toEqual([
      'Ordered: done',
      'Declined: failed',
    ]);
    expect(of('disputed', 'Processing')).toEqual(['Ordered: done', 'Accepted: done', 'Disputed: failed']);
    // A part was returned, or nothing: the link counts as delivered.
    expect(of('settled', 'Live').slice(-3)).toEqual(['Live: done', 'Disputed: failed', 'Settled: done']);
    expect(of('settled', 'Refunded').slice(-3)).toEqual(['Disputed: failed', 'Settled: failed', 'Refunded: done']);
    const settled = { ...placement, state: 'settled' as const };
    expect(show({ status: null, placement: settled }).at(-1)).toBe('Settled: failed');
    expect(show({ status: null, isSettledForSeller: true, placement: settled }).slice(-2)).toEqual([
      ...['Live: done', 'Settled: done'],
    ]);
    expect(of('lost', 'Live', { approvedAt: at(12) }).slice(-2)).toEqual(['Live: done', 'Link lost: failed']);
    expect(show({ status: null, placement: { ...placement, state: 'taken_over' } }).at(-1)).toBe('Taken over: failed');
  });

  it('of our team follow the status, also after a takeover and after a reopening', () => {
    const states = ['taken_over', 'declined', null] as const;
    for (const state of states) {
      const placed = state && { ...placement, state };
      const of = (status: StepFacts['status'], more: Partial<StepFacts> = {}, statuses: [string, string][] = []) =>
        show({ status, placement: placed, ...more }, { events: new Map(), statuses: new Map(statuses) });
      expect(of('Pending').slice(0, 2)).toEqual(['Ordered: done', 'Accepted: current']);
      expect(of('Processing')).toEqual([...['Ordered: done', 'Accepted: done', 'Content: current', 'Live: upcoming']]);
      expect(of('Processing', { hasFile: true }).at(-1)).toBe('Live: current');
      expect(of('Live', { hasLiveLink: true })).toEqual(['Ordered: done', 'Accepted: done', 'Live: done']);
      expect(of('Completed').at(-1)).toBe('Completed: done');
      expect(of('Rejected').at(-1)).toBe('Rejected: failed');
      if (state === 'declined') continue;
      expect(of('Refunded', { hasLiveLink: true }, [['Rejected', at(3)]])).toEqual([
        ...['Ordered: done', 'Live: done', 'Rejected: failed', 'Refunded: done'],
      ]);
    }
  });
});
