import { expect, it } from 'vitest';
import { buildEpcCode } from '@/lib/payments/bank-transfers/epc-code';

const transfer = {
  name: 'LinkMarket Sp. z o.o.',
  iban: 'PL61109010140000071219812874',
  bic: 'WBKPPLPP',
  amountCents: 9_260,
  reference: 'RF18539007547034',
};

it('has the elements of EPC069-12 in their order: version 002, UTF-8, the reference as unstructured text', () => {
  expect(buildEpcCode(transfer)).toBe(
    'BCD\n002\n1\nSCT\nWBKPPLPP\nLinkMarket Sp. z o.o.\nPL61109010140000071219812874\nEUR92.60\n\n\nRF18539007547034',
  );
  // The BIC is optional in version 002.
  expect(buildEpcCode({ ...transfer, bic: '' })?.split('\n')[4]).toBe('');
});

it('keeps the limits of the guideline: the amount, 70 characters of the name, 331 bytes', () => {
  expect(buildEpcCode({ ...transfer, amountCents: 1 })).toContain('EUR0.01');
  expect(buildEpcCode({ ...transfer, amountCents: 99_999_999_999 })).toContain('EUR999999999.99');
  expect(buildEpcCode({ ...transfer, amountCents: 0 })).toBeNull();
  expect(buildEpcCode({ ...transfer, amountCents: 100_000_000_000 })).toBeNull();
  expect(buildEpcCode({ ...transfer, iban: '' })).toBeNull();
  const long = buildEpcCode({ ...transfer, name: 'Ł'.repeat(200) });
  expect([...(long?.split('\n')[5] ?? '')]).toHaveLength(70);
  expect(buildEpcCode({ ...transfer, name: '🏦'.repeat(70) })).toBeNull();
});
