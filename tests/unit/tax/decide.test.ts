import { describe, expect, it } from 'vitest';
import type { VatCheck } from '@/db/schema/tax';
import { AppError } from '@/lib/errors';
import type { Operator, TaxDecision } from '@/lib/tax/contract';
import { euCountries } from '@/lib/tax/countries';
import { decideTax } from '@/lib/tax/decide';
import { emptyOperator } from '@/lib/tax/operator';
import { findRate, listRates } from '@/lib/tax/rates';

/** The rules of the design, one row each: the operator, the buyer, and the document's tax. */

const day = '2026-11-28';
const all: Operator['served'] = { domestic: true, euBusinesses: true, euPersons: 'operator_rate', outsideEu: true };
type Rules = Partial<Omit<Operator, 'served'>> & { served?: Partial<Operator['served']> };
const check = (state: VatCheck['state']): VatCheck => ({
  state,
  checkedAt: '2026-11-28T09:00:00Z',
  consultation: null,
  requester: null,
});

/** @param buyer its country, VAT id and the answer of VIES */
function decide(country: string, rules: Rules, [buyerCountry, vatId = '', state]: Buyer, on = day): TaxDecision {
  const operator = { ...emptyOperator, ...rules, country, served: { ...all, ...rules.served } };
  return decideTax({
    operator,
    buyer: { country: buyerCountry, vatId, vatCheck: state ? check(state) : null },
    day: on,
  });
}
type Buyer = [country: string, vatId?: string, state?: VatCheck['state']];

const standard = (country: string, rate: number) => ({ rate, category: 'S', reason: '', text: '', country });
const reverse = { rate: 0, category: 'AE', reason: 'VATEX-EU-AE', text: 'Reverse charge', country: '' };
const outside = { rate: 0, category: 'O', reason: 'VATEX-EU-O', text: 'Outside the scope of VAT', country: '' };
const oss: Rules = { served: { euPersons: 'oss' } };
const strict: Rules = { trustsSilentVies: false };
const small: Rules = { isSmallBusiness: true, smallBusinessText: 'Kein Ausweis von Umsatzsteuer (§ 19 UStG)' };
const swiss: Rules = { rates: [{ country: 'CH', from: '2024-01-01', rate: 810 }] };
const exempt = { rate: 0, category: 'E', reason: '', text: small.smallBusinessText, country: '' };

it.each<[rule: string, operator: string, rules: Rules, buyer: Buyer, expected: object]>([
  ['a business at home pays the operator’s rate', 'PL', {}, ['PL', 'PL5260001246', 'valid'], standard('PL', 2300)],
  ['a person at home pays it as well', 'DE', {}, ['DE'], standard('DE', 1900)],
  [
    'a buyer at home pays it with an id of another state',
    'DE',
    {},
    ['DE', 'PL5260001246', 'valid'],
    standard('DE', 1900),
  ],
  ['a business of another member state owes the tax itself', 'DE', {}, ['PL', 'PL5260001246', 'valid'], reverse],
  ['a Greek id begins with EL', 'DE', {}, ['GR', 'EL094259216', 'valid'], reverse],
  ['and not with GR', 'DE', oss, ['GR', 'GR094259216', 'valid'], standard('GR', 2400)],
  ['a silent VIES is trusted by setting', 'DE', {}, ['PL', 'PL5260001246', 'unavailable'], reverse],
  ['so is an id before its first check', 'DE', {}, ['PL', 'PL5260001246'], reverse],
  ['or is not', 'DE', strict, ['PL', 'PL5260001246', 'unavailable'], standard('DE', 1900)],
  ['before the first check neither', 'DE', strict, ['PL', 'PL5260001246'], standard('DE', 1900)],
  ['an answer counts under both settings', 'DE', strict, ['PL', 'PL5260001246', 'valid'], reverse],
  ['an invalid id is none, whatever the setting', 'DE', {}, ['PL', 'PL5260001246', 'invalid'], standard('DE', 1900)],
  ['an id of a third state is none', 'DE', {}, ['PL', 'FR40303265045', 'valid'], standard('DE', 1900)],
  ['the operator’s own country’s id is none abroad', 'DE', {}, ['PL', 'DE136695976', 'valid'], standard('DE', 1900)],
  ['a person of another member state pays the operator’s rate', 'DE', {}, ['FR'], standard('DE', 1900)],
  ['or that of the buyer’s country', 'DE', oss, ['FR'], standard('FR', 2000)],
  ['in OSS an invalid id pays it too', 'DE', oss, ['HU', 'HU12892312', 'invalid'], standard('HU', 2700)],
  ['buyers outside the Union pay no tax', 'DE', {}, ['US'], outside],
  ['with an id neither', 'DE', oss, ['CH', 'CHE-116.281.710 MWST'], outside],
  ['Great Britain is outside', 'IE', {}, ['GB', 'GB980780684'], outside],
  ['Northern Ireland is a member for goods only', 'IE', {}, ['GB', 'XI980780684', 'valid'], outside],
  ['so an XI number does not make an Irish business', 'IE', {}, ['IE', 'XI980780684'], standard('IE', 2300)],
  ['Åland and Réunion are outside the area of the tax', 'FI', {}, ['AX'], outside],
  ['Monaco is France for the tax', 'FR', {}, ['MC', 'FR40303265045', 'valid'], standard('FR', 2000)],
  ['from Germany too', 'DE', {}, ['MC', 'FR40303265045', 'valid'], reverse],
  ['in OSS too', 'DE', oss, ['MC'], standard('FR', 2000)],
  ['and as the operator’s country', 'MC', {}, ['FR'], standard('FR', 2000)],
  ['the Isle of Man is outside', 'DE', {}, ['IM'], outside],
  ['a small business charges none at home', 'DE', small, ['DE'], exempt],
  ['to businesses abroad', 'DE', small, ['PL', 'PL5260001246', 'valid'], exempt],
  ['and outside the Union', 'DE', small, ['US'], exempt],
  ['to persons of other member states as well', 'DE', { ...small, ...oss }, ['FR'], exempt],
  [
    'a rate of zero is category Z',
    'DE',
    { rates: [{ country: 'DE', from: day, rate: 0 }] },
    ['DE'],
    {
      ...standard('DE', 0),
      category: 'Z',
    },
  ],
  ['an operator outside the Union enters its rate', 'CH', swiss, ['CH'], standard('CH', 810)],
  ['Liechtenstein is Switzerland for the tax', 'CH', swiss, ['LI'], standard('CH', 810)],
  [
    'the Isle of Man is Great Britain',
    'GB',
    { rates: [{ country: 'GB', from: day, rate: 2000 }] },
    ['IM'],
    standard('GB', 2000),
  ],
  ['everyone abroad is outside its tax', 'CH', swiss, ['DE', 'DE136695976', 'valid'], outside],
  ['from the United States as well', 'US', {}, ['PL'], outside],
] as const)('%s', (_, operator, rules, buyer, expected) => {
  expect(decide(operator, rules, buyer)).toEqual(expected);
});

const errorOf = (run: () => unknown): AppError => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('No error');
};

describe('a buyer is refused', () => {
  it('without a country, whose tax is unknown', () => {
    expect(errorOf(() => decide('DE', small, ['']))).toMatchObject({
      code: 'billing_incomplete',
      details: { fields: { country: expect.any(String) }, url: '/user/billing' },
    });
  });

  it.each<[who: string, rules: Rules, buyer: Buyer, operator?: string]>([
    ['in its own country', { served: { domestic: false } }, ['DE']],
    [
      'in other member states of the European Union',
      { served: { euBusinesses: false } },
      ['PL', 'PL5260001246', 'valid'],
    ],
    ['in other member states without a valid VAT id', { served: { euPersons: 'refuse' } }, ['PL']],
    [
      'in other member states without a valid VAT id',
      { ...strict, served: { euPersons: 'refuse' } },
      ['PL', 'PL5260001246', 'unavailable'],
    ],
    ['outside the European Union', { served: { outsideEu: false } }, ['US']],
    ['in its own country', { ...small, served: { domestic: false } }, ['DE']],
    ['in other countries', { served: { outsideEu: false } }, ['DE', 'DE136695976', 'valid'], 'US'],
  ])('%s, by setting', (who, rules, buyer, operator = 'DE') => {
    const error = errorOf(() => decide(operator, rules, buyer));
    expect([error.code, error.message]).toEqual(['conflict', `This marketplace does not serve buyers ${who}.`]);
  });

  it('where no rate is known', () => {
    expect(errorOf(() => decide('US', {}, ['US']))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('No rate of tax is set for US'),
    });
    expect(errorOf(() => decide('CH', swiss, ['CH'], '2023-12-31')).code).toBe('conflict');
  });
});

describe('rates', () => {
  it.each([
    ['FI', '2024-08-31', 2400],
    ['FI', '2024-09-01', 2550],
    ['SK', '2024-12-31', 2000],
    ['SK', '2025-01-01', 2300],
    ['EE', '2025-06-30', 2200],
    ['EE', '2025-07-01', 2400],
    ['RO', '2025-07-31', 1900],
    ['RO', '2025-08-01', 2100],
    ['LU', '2024-01-01', 1700],
    ['MC', day, 2000],
    ['GB', day, null],
    ['DE', '2023-12-31', null],
  ])('%s on %s', (country, on, rate) => {
    expect(findRate([], country, on)).toBe(rate);
  });

  it('has one of every member state, as published for 2026: on average 21.9 %', () => {
    const inForce = listRates([], day);
    expect(inForce.map(({ country }) => country)).toEqual([...euCountries].sort());
    expect(inForce.reduce((sum, { rate }) => sum + rate, 0) / 27).toBeCloseTo(2190.7, 1);
  });

  it('of the operator replace the others from their first day on, the newest first', () => {
    const own = [
      { country: 'DE', from: '2027-01-01', rate: 2100 },
      { country: 'DE', from: '2026-12-01', rate: 2000 },
      { country: 'GB', from: '2026-01-01', rate: 2000 },
    ];
    const rates = ['2026-11-30', '2026-12-01', '2026-12-31', '2027-01-01'].map((on) => findRate(own, 'DE', on));
    expect(rates).toEqual([1900, 2000, 2000, 2100]);
    expect(findRate(own, 'IM', day)).toBe(2000);
    expect(listRates(own, day).find(({ isOwn }) => isOwn)).toEqual({ ...own[2], isOwn: true });
    expect(listRates(own, '2026-12-05').filter(({ isOwn }) => isOwn)).toHaveLength(2);
  });
});
