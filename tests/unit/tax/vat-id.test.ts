import { describe, expect, it } from 'vitest';
import { parseVatId } from '@/lib/tax/vat-id';

/** Numbers by country, as their owners print them, and of each form that jsvat does not know. */
const published: readonly [country: string, text: string, vatId: string][] = [
  ['AT', 'ATU 13585627', 'ATU13585627'],
  ['BE', 'BE 428.759.497', 'BE0428759497'],
  ['BE', 'BE 1000.000.021', 'BE1000000021'],
  ['BG', 'BG 175 074 752', 'BG175074752'],
  ['CY', 'CY-10259033P', 'CY10259033P'],
  ['CY', 'CY 60012345A', 'CY60012345A'],
  ['CZ', 'cz25123891', 'CZ25123891'],
  ['DE', 'DE 136,695 976', 'DE136695976'],
  ['DK', 'DK 13585628', 'DK13585628'],
  ['EE', 'EE 100 931 558', 'EE100931558'],
  ['GR', 'EL 023456780', 'EL023456780'],
  ['GR', 'GR 023456780', 'EL023456780'],
  ['ES', 'ES B-58378431', 'ESB58378431'],
  ['FI', 'FI 20774740', 'FI20774740'],
  ['FR', 'Fr 40 303 265 045', 'FR40303265045'],
  ['MC', 'FR 40303265045', 'FR40303265045'],
  ['HR', 'HR 33392005961', 'HR33392005961'],
  ['HU', 'HU–12892312', 'HU12892312'],
  ['IE', 'IE 6433435F', 'IE6433435F'],
  ['IE', 'IE 1234567 OB', 'IE1234567OB'],
  ['IT', 'IT 00743110157', 'IT00743110157'],
  ['LT', 'LT 119511515', 'LT119511515'],
  ['LU', 'LU 150 274 42', 'LU15027442'],
  ['LV', 'LV 4000 3521 600', 'LV40003521600'],
  ['LV', 'LV 327654-32101', 'LV32765432101'],
  ['MT', 'MT 1167-9112', 'MT11679112'],
  ['NL', 'NL 0044.95.445.B.01', 'NL004495445B01'],
  ['PL', 'PL 856-734-62-15', 'PL8567346215'],
  ['PT', 'PT 501 964 843', 'PT501964843'],
  ['RO', 'RO 185 472 90', 'RO18547290'],
  ['SE', 'SE 123456-7897 01', 'SE123456789701'],
  ['SI', 'SI 5022 3054', 'SI50223054'],
  ['SK', 'SK 202 274 96 19', 'SK2022749619'],
  ['GB', 'GB 980 7806 84', 'GB980780684'],
  ['CH', 'CHE-107.787.577 IVA', 'CHE107787577IVA'],
  ['NO', 'NO 995 525 828 MVA', 'NO995525828MVA'],
];

/** Changes the first digit of a number, which every checksum notices. */
const forge = (vatId: string) => vatId.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));

describe('VAT identification numbers', () => {
  it.each(published)('reads a number of %s with and without its prefix, and refuses a forged one: %s', (...one) => {
    const [country, text, vatId] = one;
    expect(parseVatId(text, country)).toEqual({ vatId });
    expect(parseVatId(text.replace(/^(CHE|[a-z]{2})[ –-]?/i, ''), country)).toEqual({ vatId });
    expect(parseVatId(forge(vatId), country)).toEqual({ problem: expect.stringContaining('not valid') });
  });

  it('refuses the number of another country, and says of which', () => {
    expect(parseVatId('DE136695976', 'PL')).toEqual({ problem: expect.stringContaining('is of Germany') });
    expect(parseVatId('FR40303265045', 'US')).toEqual({ vatId: 'FR40303265045' });
    for (const text of ['XI980780684', 'EU372000041', 'DE', '1', 'DE13669597６7', "DE136695976'--"]) {
      expect(parseVatId(text, 'DE'), text).toHaveProperty('problem');
    }
  });

  it('accepts any plausible tax number of a country whose form is not known, without delay', () => {
    expect(parseVatId(' 12-3456789 ', 'US')).toEqual({ vatId: '12-3456789' });
    expect(parseVatId('29abcde1234f2z5', 'IN')).toEqual({ vatId: '29ABCDE1234F2Z5' });
    for (const text of ['none', '<b>1</b>', '1'.repeat(31), `${'1 '.repeat(14)}-`]) {
      expect(parseVatId(text, 'US'), text).toHaveProperty('problem');
    }
    expect(parseVatId('', 'US')).toEqual({ vatId: '' });
  });
});
