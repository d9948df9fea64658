import { describe, expect, it } from 'vitest';
import { getAmountError } from '@/components/wallet/amount-field';

describe('the amount error', () => {
  it.each(['', '  ', '12', '12.5', ' 0.99 ', '.5', '-3', '90071992547409.91'])('is absent for "%s"', (typed) => {
    expect(getAmountError(typed, 'Price')).toBeUndefined();
  });

  it.each([
    ['12,5', 'Enter Price as 12.5.'],
    ['1,250.50', 'Enter Price as 1250.50.'],
    ['1.250,50', 'Enter Price as 1250.50.'],
    ['$5', 'Enter Price as 5.'],
    ['ten', '“ten” is not a number: enter Price, e.g. 120.50.'],
    ['.', '“.” is not a number: enter Price, e.g. 120.50.'],
    ['1.2.3', '“1.2.3” is not a number: enter Price, e.g. 120.50.'],
    ['٣', 'Enter Price as 3.'],
    ['90071992547409.92', '“90071992547409.92” is out of range: enter Price, e.g. 120.50.'],
  ])('of "%s" is "%s"', (typed, message) => {
    expect(getAmountError(typed, 'Price')).toBe(message);
  });
});
