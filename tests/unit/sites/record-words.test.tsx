import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { describeCause } from '@/components/sites/record-causes';
import { describeRecord, formatShare } from '@/components/sites/record-words';
import { SiteRecord } from '@/components/sites/site-record';
import type { FulfilmentRecord } from '@/lib/sites/responses';
import { textOf } from '@/tests/setup/render-part';

const record: FulfilmentRecord = {
  orders: 50,
  acceptedInTime: 0.98,
  deliveredInTime: 47 / 49,
  medianDays: 4,
  revisionsPerOrder: 0.2,
  disputesLost: 0,
  alive: { '30': { share: 1, links: 1_200 }, '90': { share: 0.97, links: 64 }, '365': null },
};
const words = (changes: Partial<FulfilmentRecord>, accepted?: number) =>
  Object.fromEntries(describeRecord({ ...record, ...changes }, accepted));

describe('a record in words', () => {
  it('names the number behind each figure', () => {
    expect(describeRecord(record)).toEqual([
      ['Links', ['97% of 64 links alive after 90 days', '100% of 1,200 links alive after 30 days']],
      ['Delivered in time', ['96% of 49 accepted orders']],
      ['Accepted in time', ['98% of 50 orders']],
      ['Time to delivery', ['Median 4 days to delivery']],
      ['Revisions', ['0.2 revisions per order']],
      ['Disputes lost', ['0']],
    ]);
  });

  it.each<[Partial<FulfilmentRecord>, number | undefined, name: string, line: string]>([
    [{ medianDays: null }, undefined, 'Time to delivery', 'No deliveries yet'],
    [{ medianDays: 1 }, undefined, 'Time to delivery', 'Median 1 day to delivery'],
    [{ medianDays: 0.04 }, undefined, 'Time to delivery', 'Median less than 0.1 days to delivery'],
    [{ medianDays: 4.46 }, undefined, 'Time to delivery', 'Median 4.5 days to delivery'],
    [{ revisionsPerOrder: 0 }, undefined, 'Revisions', '0 revisions per order'],
    [{ revisionsPerOrder: 1 }, undefined, 'Revisions', '1 revision per order'],
    [{ revisionsPerOrder: 1 / 64 }, undefined, 'Revisions', '0.02 revisions per order'],
    [{ disputesLost: 1_200 }, undefined, 'Disputes lost', '1,200'],
    [
      { alive: { '30': null, '90': null, '365': null } },
      undefined,
      'Links',
      'Fewer than 5 links are old enough to tell',
    ],
    // Accepted orders below five are not counted, unless the reader knows their number.
    [{ orders: 6, acceptedInTime: 0.5 }, undefined, 'Delivered in time', '96% of the accepted orders'],
    [
      { orders: 6, acceptedInTime: 0.5, deliveredInTime: 0 },
      undefined,
      'Delivered in time',
      '0% of the accepted orders',
    ],
    [{}, 50, 'Delivered in time', '96% of 50 accepted orders'],
    [{ acceptedInTime: 0, deliveredInTime: 0 }, 0, 'Delivered in time', 'No accepted orders'],
  ])('says %j of %j accepted orders as %s: %s', (changes, accepted, name, line) => {
    expect(words(changes, accepted)[name]).toEqual([line]);
  });

  it.each([
    [1, '100%'],
    [0.999, '99%'],
    [0.5, '50%'],
    [0.001, '1%'],
    [0, '0%'],
  ])('rounds a share of %s to %s, so that only all are 100% and only none 0%', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });

  it('is “New” without a record, and says what that means', () => {
    const shown = textOf(renderToStaticMarkup(<SiteRecord record={null} />));
    expect(shown).toBe(
      'New Fewer than 5 orders in the last 12 months. From this marketplace’s own orders and link checks, last 12 months.',
    );
    expect(textOf(renderToStaticMarkup(<SiteRecord record={record} />))).toContain(
      'Links 97% of 64 links alive after 90 days 100% of 1,200 links alive after 30 days Delivered in time',
    );
  });
});

describe('what would raise a record', () => {
  const known = { accepted: 50, rules: { answerHours: 72, repairDays: 7, guaranteeDays: 90 } };

  it.each([
    ['late', 3, '3 of 50 accepted orders were late or not delivered'],
    ['late', 1, '1 of 50 accepted orders was late or not delivered'],
    ['lost', 2, '2 links were lost'],
    ['to repair', 1, '1 link is missing or changed'],
    ['to answer', 1, '1 new order waits for your answer'],
    ['to answer', 2, '2 new orders wait for your answer'],
    ['overdue', 2, '2 orders are overdue'],
    ['to deliver', 1, '1 accepted order is not delivered yet'],
    ['expired', 1, '1 order expired without your answer'],
    ['declined', 4, 'You declined 4 orders'],
    ['disputes', 1, '1 dispute ended with half of the price or more returned to the buyer'],
    ['revisions', 6, '6 orders needed changes'],
  ] as const)('is said of %s, %i', (cause, total, title) => {
    expect(describeCause(cause, total, known).title).toBe(title);
  });
});
