import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isJump, parseEcbFile } from '@/lib/settings/ecb-rates';
import { accountingCurrency } from '@/lib/settings/reference-rates';
import { euCountries } from '@/lib/tax/countries';

const fileOf = (cubes: string, day = "time='2026-11-26'") =>
  `<?xml version="1.0"?><gesmes:Envelope xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube ${day}>${cubes}</Cube></Cube></gesmes:Envelope>`;
const usd = `<Cube currency='USD' rate='1.1000'/>`;

it('converts the file’s units per euro to USD per unit for prices, and both ways for all currencies', () => {
  const others = `<Cube currency="JPY" rate="172.40"/><Cube rate='0.88' currency='GBP' /><Cube currency='INR' rate='99.0'/>`;
  expect(parseEcbFile(fileOf(usd + others))).toEqual({
    day: '2026-11-26',
    rates: { EUR: 1_100_000, GBP: 1_250_000, INR: 11_111 },
    all: [
      ['EUR', 1_100_000, 909_091],
      ['JPY', 6_381, 156_727_273],
      ['GBP', 1_250_000, 800_000],
      ['INR', 11_111, 90_000_000],
    ].map(([currency, usdMicrosPerUnit, unitMicrosPerUsd]) => ({
      ...{ day: '2026-11-26', currency, usdMicrosPerUnit, unitMicrosPerUsd },
    })),
  });
});

it('knows in which currency a country’s tax is declared: the euro in 21 member states', () => {
  const currencies = new Map([...euCountries].map((country) => [country, accountingCurrency(country)]));
  expect([...currencies.values()].filter((currency) => currency === 'EUR')).toHaveLength(21);
  expect([...currencies].filter(([, currency]) => currency !== 'EUR').sort()).toEqual([
    ['CZ', 'CZK'],
    ['DK', 'DKK'],
    ['HU', 'HUF'],
    ['PL', 'PLN'],
    ['RO', 'RON'],
    ['SE', 'SEK'],
  ]);
  expect(['GB', 'CH', 'NO', 'US', 'MC', 'KP'].map(accountingCurrency)).toEqual([
    ...['GBP', 'CHF', 'NOK', 'USD', 'EUR', null],
  ]);
});

it.each([
  ['nothing', ''],
  ['a page', '<!doctype html><html><body>Maintenance</body></html>'],
  ['no day', fileOf(usd, '')],
  ['an invalid day', fileOf(usd, "time='2026-02-30'")],
  ['several days', fileOf(usd) + fileOf(usd)],
  ['no US dollar', fileOf(`<Cube currency='GBP' rate='0.88'/>`)],
  ['a rate of 0', fileOf(`${usd}<Cube currency='GBP' rate='0'/>`)],
  ['a negative rate', fileOf(`${usd}<Cube currency='GBP' rate='-0.88'/>`)],
  ['no number', fileOf(`${usd}<Cube currency='GBP' rate='N/A'/>`)],
  ['no rate', fileOf(`${usd}<Cube currency='GBP'/>`)],
  ['a currency twice', fileOf(usd + usd)],
])('refuses a file with %s', (_, text) => {
  expect(() => parseEcbFile(text)).toThrow(/European Central Bank/);
});

it('takes no time on a hostile file, and only positive rates of any', () => {
  fc.assert(
    fc.property(fc.float({ min: Math.fround(0.0001), max: 1e6, noNaN: true }), fc.string(), (rate, rest) => {
      const { rates } = parseEcbFile(fileOf(`${usd}<Cube currency='GBP' rate='${rate}'/>${rest.replaceAll('<', '')}`));
      for (const value of Object.values(rates)) expect(value).toBeGreaterThan(0);
    }),
  );
  expect(() => parseEcbFile('<Cube '.repeat(20_000))).toThrow();
});

it('holds back a change of more than a tenth of the rate in force', () => {
  expect([1_100_000, 900_000, 1_100_001, 899_999, 0].map((rate) => isJump(rate, 1_000_000))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
