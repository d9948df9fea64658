import fc from 'fast-check';
import { composeIBAN } from 'ibantools';
import type { BankBatch } from '@/lib/payouts/bank/batch';
import { type BankDetails, bankDetails } from '@/lib/payouts/methods/contract';

export const seller = bankDetails.parse({
  kind: 'bank',
  format: 'iban',
  holder: 'Müller & Söhne "Links" GmbH',
  addressLines: ['Große Straße 1'],
  postalCode: '10115',
  town: 'Berlin',
  country: 'DE',
  iban: 'DE89 3704 0044 0532 0130 00',
});
export const americanSeller = bankDetails.parse({
  kind: 'bank',
  format: 'account',
  holder: 'Jane Doe',
  addressLines: ['1 Main St', 'Apt #4'],
  town: 'New York',
  country: 'US',
  accountNumber: '0001 2345 678',
  routingNumber: '021000021',
  accountType: 'savings',
});
export const payer = bankDetails.parse({
  kind: 'bank',
  format: 'iban',
  holder: 'LinkMarket B.V.',
  addressLines: ['Herengracht 1'],
  postalCode: '1015 BA',
  town: 'Amsterdam',
  country: 'NL',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
});

export const batch: BankBatch = {
  messageId: '01KAR6V9M3W0C2QHN4E5T6Y7ZA',
  createdAt: new Date('2026-11-24T09:30:15.123Z'),
  executionDate: '2026-11-25',
  payer,
  currency: 'EUR',
  payouts: [
    { endToEndId: '01KAR6V9M3W0C2QHN4E5T6Y7Z1', amountCents: 12_345, details: seller, remittance: 'Payout №1 – Grüße' },
    { endToEndId: '01KAR6V9M3W0C2QHN4E5T6Y7Z2', amountCents: 1, details: americanSeller, remittance: 'Payout 2' },
  ],
};

/** Random text with a letter of several scripts and with characters that have a meaning in XML, CSV or at banks. */
const text = (maxLength: number) =>
  fc
    .tuple(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(...'<>&"\'/-:+=@;,é字Ж😀\u202e \t\n'),
          fc.string({ unit: 'grapheme', maxLength: 1 }),
        ),
        maxLength: Math.floor(maxLength / 4),
      }),
      fc.constantFrom('a', 'Ż', 'Ω', '7'),
    )
    .map(([before, letter]) => `${before}${letter}`.slice(-maxLength));

const ibans = fc
  .tuple(
    fc.constantFrom('DE', 'NL', 'FR', 'GB', 'AE'),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 23, maxLength: 23 }),
  )
  .map(([countryCode, digits]) => {
    const number = digits.join('');
    const bban = {
      DE: number.slice(0, 18),
      NL: 'ABNA0417164300',
      FR: '20041010050500013M02606',
      GB: `NWBK${number.slice(0, 14)}`,
      AE: number.slice(0, 19),
    }[countryCode];
    return composeIBAN({ countryCode, bban }) ?? '';
  });

const holder = { kind: fc.constant('bank'), country: fc.constantFrom('DE', 'US', 'JP', 'xk') };
const address = {
  holder: text(70),
  addressLines: fc.array(text(70), { minLength: 1, maxLength: 2 }),
  postalCode: fc.option(text(16), { nil: undefined }),
  town: text(35),
};
/** Bank details as the schema accepts them. */
const details: fc.Arbitrary<BankDetails> = fc
  .oneof(
    fc.record({
      ...holder,
      ...address,
      format: fc.constant('iban'),
      iban: ibans,
      bic: fc.constantFrom('NWBKGB2L', 'abna nl 2a xxx'),
    }),
    fc.record({
      ...holder,
      ...address,
      format: fc.constant('iban'),
      iban: fc.constant('DE89370400440532013000'),
    }),
    fc.record({
      ...holder,
      ...address,
      format: fc.constant('account'),
      accountNumber: fc.stringMatching(/^[0-9A-Z]{4,17}$/),
      routingNumber: fc.constantFrom('021000021', '0110-0001-5'),
      accountType: fc.constantFrom('checking', 'savings'),
    }),
  )
  .map((input) => bankDetails.safeParse(input))
  .filter(({ success }) => success)
  .map(({ data }) => data ?? seller);

const identifier = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{0,32}$/);

/** Any batch that the application may write. */
export const batches: fc.Arbitrary<BankBatch> = fc.record({
  messageId: identifier,
  createdAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
  executionDate: fc.constantFrom('2026-11-25', '2028-02-29'),
  payer: details,
  currency: fc.constantFrom('EUR', 'USD', 'GBP'),
  payouts: fc.uniqueArray(
    fc.record({
      endToEndId: identifier,
      amountCents: fc.integer({ min: 1, max: 99_999_999_999 }),
      details,
      remittance: text(300),
    }),
    { minLength: 1, maxLength: 8, selector: ({ endToEndId }) => endToEndId },
  ),
});
