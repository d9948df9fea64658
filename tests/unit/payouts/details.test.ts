import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMethodKind, lastFourOf, type MethodDetails, methodDetails } from '@/lib/payouts/methods/contract';
import { americanSeller, seller } from './bank-batches';

const holder = { holder: ' Jane \n Doe ', addressLines: ['1 Main St'], town: 'Zürich', country: 'ch' };
const ibanAccount = { ...holder, kind: 'bank', format: 'iban', iban: 'de89 3704-0044 0532 0130 00' };
const usAccount = {
  ...holder,
  kind: 'bank',
  format: 'account',
  accountNumber: '0001-2345 678',
  routingNumber: '0210 0002 1',
  accountType: 'checking',
};

/** Returns the messages by field. */
function errorsOf(input: unknown): Record<string, string> {
  const issues = methodDetails.safeParse(input).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('the details of a payout method', () => {
  it('are normalized', () => {
    expect(methodDetails.parse({ ...ibanAccount, bic: 'cobade ff xxx' })).toEqual({
      kind: 'bank',
      format: 'iban',
      holder: 'Jane Doe',
      addressLines: ['1 Main St'],
      town: 'Zürich',
      country: 'CH',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
    });
    expect(methodDetails.parse(usAccount)).toMatchObject({ accountNumber: '00012345678', routingNumber: '021000021' });
    expect(methodDetails.parse({ kind: 'paypal', email: ' Jane@Example.com ' })).toEqual({
      kind: 'paypal',
      email: 'jane@example.com',
    });
    expect(methodDetails.parse({ kind: 'agreement', text: ' Cash,\r\nmonthly ' })).toEqual({
      kind: 'agreement',
      text: 'Cash,\nmonthly',
    });
  });

  it.each([
    [
      'a wrong checksum',
      { ...ibanAccount, iban: 'DE88370400440532013000' },
      { iban: 'This IBAN is not valid. Check the digits.' },
    ],
    ['a missing IBAN', { ...ibanAccount, iban: undefined }, { iban: 'Enter the IBAN.' }],
    [
      'a QR-IBAN',
      { ...ibanAccount, iban: 'CH4431999123000889012', bic: 'POFICHBE' },
      { iban: expect.stringContaining('QR-IBAN') },
    ],
    [
      'no BIC for the United Kingdom',
      { ...ibanAccount, iban: 'GB29NWBK60161331926819' },
      { bic: expect.stringMatching(/^Enter the BIC/) },
    ],
    ['a wrong BIC', { ...ibanAccount, bic: 'COBA' }, { bic: expect.stringMatching(/^This BIC is not valid/) }],
    ['an unknown country', { ...ibanAccount, country: 'EU' }, { country: 'Choose a country.' }],
    ['a name of signs', { ...ibanAccount, holder: ' – ' }, { holder: 'Enter the name of the account holder.' }],
    ['a long name', { ...ibanAccount, holder: 'a'.repeat(71) }, { holder: 'Use at most 70 characters.' }],
    ['no address', { ...ibanAccount, addressLines: [] }, { addressLines: 'Enter the street and number.' }],
    [
      'three address lines',
      { ...ibanAccount, addressLines: ['a', 'b', 'c'] },
      { addressLines: 'Use at most two address lines.' },
    ],
    [
      'a wrong routing number',
      { ...usAccount, routingNumber: '021000022' },
      { routingNumber: expect.stringMatching(/not valid/) },
    ],
    [
      'a routing number of zeros',
      { ...usAccount, routingNumber: '000000000' },
      { routingNumber: expect.stringMatching(/not valid/) },
    ],
    [
      'a short account number',
      { ...usAccount, accountNumber: '123' },
      { accountNumber: expect.stringMatching(/4 to 17/) },
    ],
    ['an unknown account type', { ...usAccount, accountType: 'loan' }, { accountType: 'Choose checking or savings.' }],
    ['an unknown format', { ...usAccount, format: 'sort-code' }, { format: expect.stringMatching(/^Choose an IBAN/) }],
    ['no email address', { kind: 'paypal', email: 'jane' }, { email: expect.stringMatching(/^Enter the email/) }],
    ['an empty agreement', { kind: 'agreement', text: ' ' }, { text: 'Describe how you are paid.' }],
    ['a long agreement', { kind: 'agreement', text: 'a'.repeat(501) }, { text: 'Use at most 500 characters.' }],
    ['an unknown kind', { kind: 'cash' }, { kind: 'Choose a payout method.' }],
  ])('refuse %s', (_, input, errors) => {
    expect(errorsOf(input)).toEqual(errors);
  });

  it('refuse a routing number with one other digit', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(change, ([at, by]) => {
        const digits = [...'021000021'].map((digit, place) => (place === at ? (Number(digit) + by) % 10 : digit));
        expect(errorsOf({ ...usAccount, routingNumber: digits.join('') })).not.toEqual({});
      }),
    );
  });
});

it.each<[string, MethodDetails, string]>([
  ['an IBAN', seller, '3000'],
  ['an account number', americanSeller, '5678'],
  [
    'a short account number',
    {
      ...americanSeller,
      format: 'account',
      accountNumber: '1234567',
      routingNumber: '021000021',
      accountType: 'savings',
    },
    '',
  ],
  ['a PayPal address', { kind: 'paypal', email: 'jane.doe@example.com' }, '.doe'],
  ['a short PayPal address', { kind: 'paypal', email: 'jane@example.com' }, ''],
  ['an agreement', { kind: 'agreement', text: 'By wire to 12345678' }, ''],
])('shows of %s the last four characters, or none', (_, details, shown) => {
  expect(lastFourOf(details)).toBe(shown);
});

it('names each kind of method', () => {
  expect((['bank', 'paypal', 'agreement'] as const).map(describeMethodKind)).toEqual([
    'Bank account',
    'PayPal',
    'By agreement',
  ]);
});
