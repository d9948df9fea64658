import { describe, expect, it } from 'vitest';
import { getAmountError } from '@/components/wallet/amount-field';

describe('the amount error', () => {
  it.each(['', '  ', '12', '12.5', ' 0.99 ', '.5', '-3', '90071992547409.91'])('is absent for "%s"', (typed) => {
    expect(getAmountError(typed)).toBeUndefined();
  });

  it.each(['12,5', '1,250.50', '1.250,50'])('rejects a comma, which would multiply the amount: "%s"', (typed) => {
    expect(getAmountError(typed)).toMatch(/without a comma/);
  });

  it.each(['1e3', '$5', '5 USD', 'ten', '.', '-', '1.2.3', '٣'])('requires digits: "%s"', (typed) => {
    expect(getAmountError(typed)).toMatch(/in digits/);
  });

  it.each(['90071992547409.92', '9'.repeat(400)])('rejects an amount that is too large: "%s"', (typed) => {
    expect(getAmountError(typed)).toMatch(/too large/);
  });
});
