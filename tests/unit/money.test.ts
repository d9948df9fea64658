import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFigure } from '@/components/sites/site-text';
import {
  convertFromUsdCents,
  convertToUsdCents,
  currencies,
  currencyDecimals,
  formatMoney,
  groupDigits,
  parseMoney,
  toDecimalString,
} from '@/lib/money';

const safeCents = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

describe('amounts as text', () => {
  it('survive the round trip through decimal text at any size', () => {
    fc.assert(fc.property(safeCents, (cents) => parseMoney(toDecimalString(cents)) === (cents === 0 ? 0 : cents)));
  });

  it.each([
    [123_450, 'USD', '$1,234.50'],
    [-5, 'USD', '-$0.05'],
    [0, 'EUR', '€0.00'],
    [11_600, 'CAD', 'CA$116.00'],
    [9_007_199_254_740_991, 'USD', '$90,071,992,547,409.91'],
  ])('%i %s is formatted as %s', (cents, currency, text) => {
    expect(formatMoney(cents, currency)).toBe(text);
  });

  it.each([
    [123_456_789, 2, '1234567.89'],
    [5, 2, '0.05'],
    [-5, 2, '-0.05'],
    [0, 2, '0.00'],
    [0, 0, '0'],
    [1_500, 0, '1500'],
    [1_500, 1, '150.0'],
    [1_500, 3, '1.500'],
  ])('%i with %i decimals is %s', (minor, decimals, text) => {
    expect(toDecimalString(minor, decimals)).toBe(text);
  });

  it.each([
    [1234.5, '1,234.5'],
    ['-1234567', '-1,234,567'],
    [999, '999'],
    [0.12345, '0.12345'],
  ])('%s is grouped as %s', (value, text) => {
    expect(groupDigits(value)).toBe(text);
  });

  it('in US dollars are the same as those of Intl', () => {
    const intl = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    fc.assert(
      fc.property(safeCents, (cents) => formatMoney(cents, 'USD') === intl.format(toDecimalString(cents))),
      { examples: [[100], [99_999], [100_000], [-100_000], [-99_999_999]] },
    );
  });

  it('reject amounts that are not an integer number of cents', () => {
    expect(() => formatMoney(0.5, 'USD')).toThrow(RangeError);
    expect(() => formatMoney(Number.NaN, 'USD')).toThrow(RangeError);
  });
});

describe('figures of sites', () => {
  it('are the same as those of Intl with two decimals', () => {
    const intl = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
    const figure = fc.oneof(
      fc.nat(),
      fc.nat({ max: 10_000 }).map((value) => value / 100),
      fc.double({ min: 0, max: 1e15, noNaN: true }),
    );
    fc.assert(
      fc.property(figure, (value) => formatFigure(value) === intl.format(value)),
      { examples: [[999], [1_000], [0.005], [1_234_567.891]] },
    );
  });
});

describe('typed amounts', () => {
  it.each([
    ['1.005', 101],
    [1.005, 101],
    ['0.994', 99],
    ['10', 1_000],
    [' 10.5 ', 1_050],
    ['.5', 50],
    ['-3.10', -310],
    ['-0', 0],
    ['12.', 1_200],
    ['1.0049', 100],
    ['0.01', 1],
    ['-0.01', -1],
    ['90071992547409.91', 9_007_199_254_740_991],
    [-1.5, -150],
    ['0', 0],
  ])('%s is %i cents', (text, cents) => {
    expect(parseMoney(text)).toBe(cents);
  });

  it.each([
    '',
    '.',
    '1,000',
    '1e3',
    '0x10',
    'abc',
    '1.2.3',
    '--1',
    '-',
    '$1',
    '1$',
    '90071992547409.92',
    '99999999999999999',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ])('%s is rejected', (text) => {
    expect(parseMoney(text)).toBeNull();
  });
});

describe('currencies', () => {
  it('of prices are six', () => {
    expect(currencies).toEqual(['USD', 'EUR', 'GBP', 'AUD', 'CAD', 'INR']);
  });

  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['BHD', 3],
    ['KRW', 0],
    // PayPal charges these in whole units.
    ['HUF', 0],
    ['JPY', 0],
    ['TWD', 0],
    // Not a code.
    ['krw', 2],
    ['XKRW', 2],
    ['KRWX', 2],
    ['', 2],
  ])('%s has %i decimals', (currency, decimals) => {
    expect(currencyDecimals(currency)).toBe(decimals);
  });
});

describe('conversion from USD', () => {
  it.each([
    [100, 1_000_000, 100],
    [100, 1_080_000, 93],
    [108, 1_080_000, 100],
    [1, 200_000_000, 1],
    [0, 1_080_000, 0],
  ])('%i cents at %i are %i, rounded up', (usdCents, micros, minor) => {
    expect(convertFromUsdCents(usdCents, micros)).toBe(minor);
  });

  it('returns the smallest amount that is worth the cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e10 }), fc.integer({ min: 1, max: 2e8 }), (cents, micros) => {
        const amount = BigInt(convertFromUsdCents(cents, micros));
        const wanted = BigInt(cents) * 1_000_000n;
        return amount * BigInt(micros) >= wanted && (amount - 1n) * BigInt(micros) < wanted;
      }),
    );
  });
});

describe('conversion to USD', () => {
  it.each([
    [1, 1_500_000, 2],
    [1, 1_499_999, 1],
    [1, 499_999, 0],
    [10_000, 1_080_000, 10_800],
  ])('%i at %i is %i cents, rounded half up', (amount, micros, cents) => {
    expect(convertToUsdCents(amount, micros)).toBe(cents);
  });

  it('rounds by at most half a cent, verified with exact arithmetic', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e11 }), fc.integer({ min: 1, max: 2e8 }), (amount, micros) => {
        const twice =
          2n * BigInt(convertToUsdCents(amount, micros)) * 1_000_000n - 2n * BigInt(amount) * BigInt(micros);
        return twice >= -1_000_000n && twice <= 1_000_000n;
      }),
    );
  });

  it('leaves USD unchanged', () => {
    fc.assert(fc.property(fc.nat(), (cents) => convertToUsdCents(cents, 1_000_000) === cents));
  });
});
