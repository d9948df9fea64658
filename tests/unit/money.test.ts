import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFigure } from '@/components/sites/site-text';
import { convertToUsdCents, formatMoney, parseMoney, toDecimalString } from '@/lib/money';

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
    '99999999999999999',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
  ])('%s is rejected', (text) => {
    expect(parseMoney(text)).toBeNull();
  });
});

describe('conversion to USD', () => {
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
