import { expect, it } from 'vitest';
import { listMissing } from '@/lib/tax/missing';
import { emptyOperator } from '@/lib/tax/operator';
import { saveOperatorBody } from '@/lib/tax/operator-contract';

const account = { holder: 'Example GmbH', iban: '', bic: '', accountNumber: '', routingNumber: '', bankName: '' };
const euro = { ...account, currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00' };
const dollar = { ...account, currency: 'USD', routingNumber: '021000021', accountNumber: '12345678' };

const problems = (edit: object) => {
  const { error } = saveOperatorBody.safeParse({ ...edit, version: 0 });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
};

it('normalizes bank codes and VAT ids as people write them', () => {
  const edit = {
    country: 'de',
    vatIds: [{ country: 'DE', number: '136 695 976' }],
    bankAccounts: [euro, { ...account, currency: 'USD', iban: 'DE89370400440532013000', bic: 'cobadeffxxx' }],
  };
  expect(saveOperatorBody.parse({ ...edit, version: 0 })).toEqual({
    version: 0,
    country: 'DE',
    vatIds: [{ country: 'DE', number: 'DE136695976' }],
    bankAccounts: [
      { ...euro, iban: 'DE89370400440532013000' },
      { ...account, currency: 'USD', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ],
  });
  expect(problems({ bankAccounts: [dollar] })).toEqual([]);
});

it.each<[what: string, edit: object, problem: RegExp]>([
  [
    'an IBAN with a wrong digit',
    { bankAccounts: [{ ...euro, iban: 'DE88370400440532013000' }] },
    /^bankAccounts\.0\.iban: This IBAN/,
  ],
  ['euros without an IBAN', { bankAccounts: [{ ...euro, iban: '' }] }, /^bankAccounts\.0\.iban: Enter the IBAN/],
  [
    'euros with an account number',
    { bankAccounts: [{ ...euro, accountNumber: '12345678' }] },
    /^bankAccounts\.0\.accountNumber: .* not both/,
  ],
  [
    'dollars without an account number',
    { bankAccounts: [{ ...dollar, accountNumber: '' }] },
    /^bankAccounts\.0\.accountNumber:/,
  ],
  [
    'a wrong routing number',
    { bankAccounts: [{ ...dollar, routingNumber: '021000022' }] },
    /^bankAccounts\.0\.routingNumber:/,
  ],
  ['dollars by IBAN without a BIC', { bankAccounts: [{ ...euro, currency: 'USD' }] }, /^bankAccounts\.0\.bic:/],
  ['two accounts in a currency', { bankAccounts: [euro, euro] }, /^bankAccounts\.1: There is an account/],
  ['a VAT id with a wrong digit', { vatIds: [{ country: 'DE', number: 'DE136695977' }] }, /^vatIds\.0\.number:/],
  ['a VAT id of another country', { vatIds: [{ country: 'PL', number: 'DE136695976' }] }, /^vatIds\.0\.number:/],
  ['no VAT id', { vatIds: [{ country: 'US', number: ' ' }] }, /^vatIds\.0\.number: Enter the VAT id/],
  [
    'two VAT ids of a territory',
    {
      vatIds: [
        { country: 'FR', number: 'FR40303265045' },
        { country: 'MC', number: 'FR40303265045' },
      ],
    },
    /^vatIds\.1:/,
  ],
  ['a rate above 100 percent', { rates: [{ country: 'GB', from: '2026-01-01', rate: 10_001 }] }, /^rates\.0\.rate:/],
  ['a day that does not exist', { rates: [{ country: 'GB', from: '2026-02-30', rate: 2_000 }] }, /^rates\.0\.from:/],
  [
    'two rates from a day',
    {
      rates: [
        { country: 'GB', from: '2026-01-01', rate: 1 },
        { country: 'IM', from: '2026-01-01', rate: 2 },
      ],
    },
    /^rates\.1:/,
  ],
  ['an unknown country', { country: 'XX' }, /^country: Choose a country/],
  [
    'an unknown rule',
    { served: { domestic: true, euBusinesses: true, euPersons: 'all', outsideEu: true } },
    /^served\.euPersons: Use one of/,
  ],
])('refuses %s', (_, edit, problem) => {
  expect(problems(edit)).toEqual([expect.stringMatching(problem)]);
});

it('lists what tax needs: a rate and a VAT id, or of a small business any tax number', () => {
  const named = { ...emptyOperator, name: 'Example', street: 'Main Street 1', city: 'Berlin', country: 'DE' };
  const missing = (operator: Partial<typeof named>, country = 'DE') =>
    Object.keys(listMissing({ ...named, ...operator }, country, '2026-11-28'));
  expect(Object.keys(listMissing(emptyOperator, '', '2026-11-28'))).toEqual(['name', 'street', 'city', 'country']);
  expect(missing({})).toEqual(['vatIds']);
  const vatIds = [{ country: 'DE', number: 'DE136695976' }];
  expect(missing({ vatIds })).toEqual([]);
  expect(missing({ vatIds }, 'PL')).toEqual(['vatIds']);
  expect(missing({ vatIds, country: 'US' }, 'US')).toEqual(['vatIds', 'rates']);
  expect(missing({ isSmallBusiness: true })).toEqual(['taxNumber']);
  expect(missing({ isSmallBusiness: true, taxNumber: '30/123' })).toEqual([]);
  expect(
    missing({ isSmallBusiness: true, country: 'US', vatIds: [{ country: 'US', number: '12-3456789' }] }, 'US'),
  ).toEqual([]);
  expect(missing({ country: 'MC', vatIds: [{ country: 'FR', number: 'FR40303265045' }] }, 'MC')).toEqual([]);
});
