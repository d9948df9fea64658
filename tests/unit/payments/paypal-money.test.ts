import fc from 'fast-check';
import { expect, it } from 'vitest';
import { currencyDecimals, formatMoney } from '@/lib/money';
import { payPalMoney, toPayPalMoney } from '@/lib/payments/providers/paypal/client';

const read = (value: unknown, currency_code: unknown) => payPalMoney.safeParse({ value, currency_code }).data ?? null;

it.each([
  ['10.00', 'USD', 1_000],
  ['10', 'USD', 1_000],
  ['10.5', 'USD', 1_050],
  ['.50', 'USD', 50],
  ['1000', 'JPY', 1_000],
  ['1000', 'HUF', 1_000],
  ['1000', 'TWD', 1_000],
  // The same amount, written with decimals that the currency does not have.
  ['1000.00', 'JPY', 1_000],
  ['1.234', 'TND', 1_234],
])('%s %s is %i minor units', (value, currency, amountMinor) => {
  expect(read(value, currency)).toEqual({ amountMinor, currency });
});

it.each([
  ['10.005', 'USD'],
  ['1000.50', 'JPY'],
  ['1000.50', 'HUF'],
  ['1000.50', 'TWD'],
  ['-10.00', 'USD'],
  ['1e3', 'USD'],
  ['', 'USD'],
  ['99999999999999999999.00', 'USD'],
  [10, 'USD'],
  ['10.00', 'usd'],
  ['10.00', 'US'],
  ['10.00', undefined],
])('%j %j is rejected', (value, currency) => {
  expect(read(value, currency)).toBeNull();
});

it('amounts survive the round trip', () => {
  const amount = fc.integer({ min: 0, max: 9_000_000_000_000 });
  fc.assert(
    fc.property(amount, fc.constantFrom('USD', 'EUR', 'JPY', 'HUF', 'TWD'), (amountMinor, currency) => {
      const money = toPayPalMoney(amountMinor, currency);
      expect(money.value).toMatch(currencyDecimals(currency) === 0 ? /^\d+$/ : /^\d+\.\d\d$/);
      expect(payPalMoney.parse(money)).toEqual({ amountMinor, currency });
    }),
  );
});

it.each([
  [1_000, 'JPY', '¥1,000'],
  [1_000, 'TWD', 'NT$1,000.00'],
  [1_000, 'USD', '$10.00'],
])('%i minor units of %s are formatted as %s', (amountMinor, currency, text) => {
  expect(formatMoney(amountMinor, currency)).toBe(text);
});
