import { expect, it } from 'vitest';
import { payLabel } from '@/components/orders/order-total';
import { describeOutlook } from '@/components/orders/outlook';
import { describePlaced } from '@/components/orders/send-order';

it('the button that orders says what it takes, or what is added first', () => {
  expect(payLabel({ totalCents: 15_640, balanceCents: 15_640, items: '4 sites' })).toBe('Pay $156.40 · 4 sites');
  expect(payLabel({ totalCents: 15_640, balanceCents: 4_340, items: '4 sites' })).toBe('Add $113.00 and pay');
  // The smallest top-up is $1.00.
  expect(payLabel({ totalCents: 15_640, balanceCents: 15_600 })).toBe('Add $1.00 and pay');
  expect(payLabel({ totalCents: 0, balanceCents: 0 })).toBe('Pay');
});

it('above a limit the button requests an approval, and members without the wallet are not led to it', () => {
  const order = { totalCents: 15_640, balanceCents: 4_340, items: '4 sites' };
  const outlook = { texts: ['Your limit is used up.'], sites: {}, isFunded: true };
  expect(payLabel({ ...order, outlook: { ...outlook, decision: 'needs_approval' } })).toBe('Request approval');
  expect(payLabel({ ...order, mayTopUp: false })).toBe('Pay $156.40 · 4 sites');
  expect(payLabel({ ...order, balanceCents: null, mayTopUp: false })).toBe('Pay $156.40 · 4 sites');
  const short = { decision: 'allowed' as const, texts: [], sites: {}, isFunded: false };
  expect(describeOutlook(short, null)).toMatch(/wallet balance is too low .*Ask a person with access to the wallet/);
  // Beside a balance that is shown, the screen says what is missing.
  expect(describeOutlook(short, 4_340)).toBe('');
});

it('an order ends with its numbers and the day by which the last seller answers', () => {
  const [first, last] = ['2026-11-26T12:00:00.000Z', '2026-11-28T12:00:00.000Z'];
  expect(describePlaced([{ id: 7, answerDueAt: null }])).toBe('Order #7 is placed.');
  expect(describePlaced([{ id: 7, answerDueAt: last }])).toBe('Order #7 is placed. The seller answers by Nov 28.');
  const many = [1, 2, 3, 4, 5, 6].map((id) => ({ id, answerDueAt: id === 2 ? last : id === 3 ? first : null }));
  expect(describePlaced(many)).toBe(
    'Orders #1, #2, #3, #4 and 2 more are placed. Our team fulfills 4; the sellers of 2 answer by Nov 28.',
  );
  expect(describePlaced(many.slice(0, 2))).toBe(
    'Orders #1, #2 are placed. Our team fulfills 1; the seller of 1 answers by Nov 28.',
  );
  expect(describePlaced(many.slice(1, 3))).toBe('Orders #2, #3 are placed. The sellers answer by Nov 28.');
});
