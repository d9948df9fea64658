import { expect, it } from 'vitest';
import { payPalSettlement } from '@/lib/payments/providers/paypal/settlement';

// The codes of payouts, as PayPal documents them: https://developer.paypal.com/payouts/use-payouts/view-transactions

const until = new Date('2026-11-20T00:00:00Z');
const transaction = (code: string, value: string, more: object = {}) => ({
  transaction_info: {
    transaction_id: `${code}${value}`,
    transaction_event_code: code,
    transaction_status: 'S',
    transaction_initiation_date: '2026-11-19T10:00:00+0000',
    transaction_amount: { currency_code: 'USD', value },
    ...more,
  },
});
const read = (details: object[]) =>
  payPalSettlement(async () => ({ transaction_details: details, total_pages: 1 })).read(
    { from: new Date('2026-11-18T00:00:00Z'), until },
    null,
  );

it.each([
  ['T0001', '-10.00', { type: 'seller_payout', grossMinor: -1_000, feeMinor: 0 }],
  ['T0001', '10.00', { type: 'charge', grossMinor: 1_000, feeMinor: 0 }],
  // The fee of a batch of payouts: no gross amount, so that it is not taken for a payment.
  ['T0104', '-0.50', { type: 'seller_payout_fee', grossMinor: 0, feeMinor: 50 }],
  ['T0104', '0.50', { type: 'seller_payout_fee', grossMinor: 0, feeMinor: -50 }],
  ['T1114', '10.00', { type: 'seller_payout_return', grossMinor: 1_000, feeMinor: 0 }],
  ['T1115', '10.00', { type: 'seller_payout_return', grossMinor: 1_000, feeMinor: 0 }],
])('%s of %s is read as %j', async (code, value, line) => {
  const { lines } = await read([transaction(code, value)]);
  expect(lines).toMatchObject([{ ...line, providerType: code, currency: 'USD' }]);
});

it('the hold of a batch (T1503) and its release (T1105) move no money and are not waited for', async () => {
  const all = [
    transaction('T1503', '-10.50'),
    transaction('T1503', '-20.50', { transaction_status: 'P' }),
    transaction('T1105', '10.50'),
    transaction('T0001', '-10.00'),
    transaction('T0104', '-0.50'),
  ];
  const { lines, openSince } = await read(all);
  expect(lines.map(({ providerType }) => providerType)).toEqual(['T0001', 'T0104']);
  expect(lines.reduce((sum, { grossMinor, feeMinor }) => sum + grossMinor - feeMinor, 0)).toBe(-1_050);
  expect(openSince).toBeNull();
  // A payment that is pending is.
  const pending = await read([transaction('T0001', '-10.00', { transaction_status: 'P' })]);
  expect(pending).toMatchObject({ lines: [], openSince: new Date('2026-11-19T10:00:00Z') });
});
