import { describe, expect, it } from 'vitest';
import { parseMoney } from '@/lib/money';
import { topupBody } from '@/lib/payments/top-ups/contract';
import { requireTopupAmount } from '@/lib/payments/top-ups/create-intent';

/** Parses an amount as POST …/checkout does. */
const cents = (amount: unknown) => requireTopupAmount(parseMoney(topupBody.parse({ amount }).amount));

describe('the amount of a top-up', () => {
  it.each([
    [1, 100],
    ['1', 100],
    ['1.00', 100],
    [0.995, 100],
    ['0.995', 100],
    [12.345, 1235],
    [1.005, 101],
    [' 25 ', 2500],
    ['100000.00', 10_000_000],
  ])('%j is %i cents', (amount, expected) => {
    expect(cents(amount)).toBe(expected);
  });

  it.each([
    0,
    -5,
    0.99,
    0.994,
    '',
    'abc',
    '1e3',
    '1,000',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    {},
    [25],
  ])('%j is rejected with the message of the specification', (amount) => {
    expect(() => cents(amount)).toThrow('Please enter at least $1.00');
  });

  it.each([100_000.01, '100000.01', 1e9])('%j is above the maximum', (amount) => {
    expect(() => cents(amount)).toThrow('Please enter at most $100,000.00');
  });
});

describe('the currency', () => {
  it('is USD in any case, and defaults to USD', () => {
    expect(topupBody.parse({ amount: 1, currency: 'usd' }).currency).toBe('USD');
    expect(topupBody.parse({ amount: 1 }).currency).toBe('USD');
  });

  it('accepts no other value', () => {
    expect(topupBody.safeParse({ amount: 1, currency: 'EUR' }).success).toBe(false);
  });
});
