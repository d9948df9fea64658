import { expect, it } from 'vitest';
import { PayPalRefusal } from '@/lib/payments/providers/paypal/client';
import { payPalPayouts } from '@/lib/payments/providers/paypal/payouts';

const item = (id: string, more: object) => ({
  payout_item_id: id,
  payout_batch_id: 'BATCH1',
  transaction_status: 'SUCCESS',
  payout_item: { amount: { currency: 'USD', value: '10.00' }, sender_item_id: `ours-${id}` },
  ...more,
});

it('an unknown state and a fee in another currency of one payout do not prevent the reading of its batch', async () => {
  const page = {
    batch_header: { payout_batch_id: 'BATCH1', batch_status: 'SUCCESS', sender_batch_header: {} },
    items: [
      item('A', { payout_item_fee: { currency: 'USD', value: '0.25' } }),
      item('B', { transaction_status: 'REVIEWED' }),
      item('C', { payout_item_fee: { currency: 'EUR', value: '0.25' } }),
    ],
  };
  const rail = payPalPayouts({ mode: 'sandbox', clientId: 'client', call: async () => page });
  expect((await rail.findBatch('BATCH1')).payouts).toMatchObject([
    { payoutId: 'ours-A', outcome: 'paid', feeCents: 25 },
    { payoutId: 'ours-B', outcome: 'open', status: 'REVIEWED', reason: '' },
    { payoutId: 'ours-C', outcome: 'paid', feeCents: null },
  ]);
});

it.each([
  [
    ['items[1].receiver', 'items[2].receiver', 'items[1].amount'],
    ['b', 'c'],
  ],
  [['/items/0/receiver'], ['a']],
  [['items[7].receiver'], []],
  [['items'], []],
  [['sender_batch_header.email_subject'], []],
])('a refusal of the fields %j names the payouts %j', async (fields, ids) => {
  const refusal = new PayPalRefusal(400, 'Receiver is invalid', undefined, [], 'VALIDATION_ERROR', fields);
  const rail = payPalPayouts({ mode: 'sandbox', clientId: 'client', call: () => Promise.reject(refusal) });
  const payouts = ['a', 'b', 'c'].map((id) => ({ id, amountMinor: 100, currency: 'USD', receiver: 'a@example.com' }));
  await expect(rail.sendBatch({ id: 'batch', revision: 0, subject: 'Payout', payouts })).rejects.toMatchObject({
    isFinal: true,
    payoutIds: ids,
  });
});
