import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimalString } from '@/lib/money';
import {
  detectDecimalMark,
  type NumberField,
  type NumberKind,
  type NumberStyle,
  parseField,
  parseNumber,
  parsePrice,
  stripCurrency,
} from '@/lib/platform/parse-number';
import { createSiteBody, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { siteFigures } from '@/lib/sites/figures';
import { mapColumns, mapHeader } from '@/lib/sites/import/map-header';
import { parseRow } from '@/lib/sites/import/parse-row';
import { propertyRuns } from '@/scripts/testing/tier';
import { expectLinearTime } from '@/tests/setup/expect-linear-time';

describe('numbers', () => {
  it.each<[string, NumberKind, NumberStyle, string]>([
    ['1,200', 'count', 'unknown', '1200'],
    ['1.200', 'count', 'point', '1200'],
    ['1 200', 'count', 'unknown', '1200'],
    ['1\u00a0234\u202f567', 'count', 'unknown', '1234567'],
    ["1'200", 'count', 'unknown', '1200'],
    ['12K', 'count', 'unknown', '12000'],
    ['1.2M', 'count', 'unknown', '1200000'],
    ['1,2 m', 'count', 'unknown', '1200000'],
    ['1.234K', 'count', 'unknown', '1234'],
    ['1.2E+05', 'count', 'unknown', '120000'],
    ['1,00,000', 'count', 'unknown', '100000'],
    ['1,234,567.89', 'count', 'unknown', '1234567.89'],
    ['1.234.567,89', 'money', 'unknown', '1234567.89'],
    ['5 %', 'score', 'unknown', '5'],
    ['45,5', 'score', 'unknown', '45.5'],
    ['45.125', 'score', 'unknown', '45.125'],
    ['1000+', 'count', 'unknown', '1000'],
    ['.5', 'score', 'unknown', '.5'],
    ['007', 'score', 'unknown', '7'],
    ['1,234', 'money', 'unknown', '1234'],
    ['1,234', 'money', 'point', '1234'],
    ['1,234', 'money', 'comma', '1.234'],
    ['33.333', 'money', 'point', '33.333'],
    ['33.333', 'money', 'comma', '33333'],
    ['35,50', 'money', 'mixed', '35.50'],
  ])('parses %j of a %s in style %s as %s', (cell, kind, style, decimal) => {
    const read = parseNumber(cell, kind, style);
    expect(read).toEqual({ decimal: expect.any(String) });
    expect('decimal' in read && Number(read.decimal)).toBe(Number(decimal));
  });

  it.each(['', 'abc', '-5', '12 5', '1,2,3', '1.2.3,4', '1,23,4', '=1+1', '5 days', '1e999', 'NaN', 'Infinity'])(
    'rejects %j',
    (cell) => {
      expect(parseNumber(cell, 'count', 'unknown')).toEqual({ problem: 'unreadable' });
    },
  );

  it('does not guess the meaning of 1,234 in a file that uses both styles', () => {
    expect(parseNumber('1,234', 'money', 'mixed')).toEqual({ problem: 'ambiguous' });
  });

  it.each([
    ['35,50', ','],
    ['35.5', '.'],
    ['1.234,56', ','],
    ['1,234,567', '.'],
    ['1,234', null],
    ['1.234', null],
    ['12', null],
    ['text', null],
  ])('detects from %j that the decimal mark is %j', (cell, mark) => {
    expect(detectDecimalMark(cell)).toBe(mark);
  });
});

describe('prices', () => {
  it.each([
    ['$35', 3_500, 'USD'],
    ['€ 35,50', 3_550, 'EUR'],
    ['35 EUR', 3_500, 'EUR'],
    ['35USD', 3_500, 'USD'],
    ['US$1,200.00', 120_000, 'USD'],
    ['C$20', 2_000, 'CAD'],
    ['$20 CAD', 2_000, 'CAD'],
    ['£1.2K', 120_000, 'GBP'],
    ['Rs. 500', 50_000, 'INR'],
    ['1,200 GBP', 120_000, 'GBP'],
    ['35,-', 3_500, null],
    ['€50,-', 5_000, 'EUR'],
    ['50.-', 5_000, null],
    ['50,--', 5_000, null],
    ['Rs. 4,500/-', 450_000, 'INR'],
    ['Rs 500/-', 50_000, 'INR'],
    ['Rs.1,50,000/-', 15_000_000, 'INR'],
    ['₹1200/-', 120_000, 'INR'],
    ['INR 1,200 /- only', 120_000, 'INR'],
    ['500/=', 50_000, null],
    ['$50/post', 5_000, 'USD'],
    ['$50 / Post', 5_000, 'USD'],
    ['50 USD per post', 5_000, 'USD'],
    ['50 per post USD', 5_000, 'USD'],
    ['USD 50 per guest post', 5_000, 'USD'],
    ['USD 50 per article', 5_000, 'USD'],
    ['$50 per link', 5_000, 'USD'],
    ['$50/placement', 5_000, 'USD'],
    ['$50 (per post)', 5_000, 'USD'],
    ['$50 each', 5_000, 'USD'],
    ['$50/GP', 5_000, 'USD'],
    ['$50 apiece', 5_000, 'USD'],
    ['Rs 500 per post only', 50_000, 'INR'],
    ['50 dollars', 5_000, 'USD'],
    ['500 rupees', 50_000, 'INR'],
    ['50 pounds per post', 5_000, 'GBP'],
    ['$50 for one sponsored article.', 5_000, 'USD'],
    ['$1,200.50/guest-post', 120_050, 'USD'],
    ['₹1,200/- per post', 120_000, 'INR'],
    ['50€ / post', 5_000, 'EUR'],
    ['35,50 € pro Artikel', 3_550, 'EUR'],
    ['50 EUR por artículo', 5_000, 'EUR'],
    ['US$50', 5_000, 'USD'],
    ['$50 USD', 5_000, 'USD'],
    ['50/link', 5_000, null],
    ['35', 3_500, null],
    ['0.01', 1, null],
    ['1,000,000', 100_000_000, null],
  ])('parses %j as %d minor units in %s', (cell, cents, currency) => {
    expect(parsePrice(cell, 'unknown')).toEqual({ cents, currency });
  });

  it.each([
    ...['0', '-5', 'free', '35 PLN', '$35 / €30', '1000000.01', '=A1', '$', '10%', '$50 + 5%', '/-', 'per post', '0/-'],
    ...[
      '$50/month',
      '$50 per month',
      '50/hour',
      '$50 per 3 posts',
      '$50/2 posts',
      '$50 for 10 links',
      '$50-$100',
      '50-100',
    ],
    ...[
      '$50 per post per month',
      '$50/post/month',
      '$50 per word',
      '$0.05/word',
      '$50/1000 words',
      '$50 per year',
      '50/50',
    ],
    ...[
      '$50 per post + VAT',
      'from $50',
      '$50 or $60',
      '500/-/-',
      '-500/-',
      '$50 per page',
      '$50 p.a.',
      '50 Canadian dollars',
      '$50 / 40 pounds',
    ],
  ])('refuses %j', (cell) => {
    expect(parsePrice(cell, 'unknown')).toEqual({ reason: expect.any(String) });
  });
});

describe('headers', () => {
  const fieldsOf = (header: string, audience: 'staff' | 'seller' = 'staff') => {
    const mapped = mapHeader(header.split(','), audience);
    if (!mapped) return null;
    const columns = Object.entries(mapped.columns).sort(([, one], [, other]) => one.index - other.index);
    return { fields: columns.map(([field]) => field), unknown: mapped.unknownHeaders };
  };

  it.each([
    [
      'Site URL,DA,DR,Traffic,SS,Category,Country,Language,TAT,Base Price,Status',
      'url da dr traffic spam niche country language tat sellerPrice status',
    ],
    ['Website URL,Moz DA,Ahrefs DR,Traffic,Niche/Category,Price', 'url da dr traffic niche sellerPrice'],
    ['Website,URL,Domain Rating', 'name url dr'],
    ['Domain,Name,Spam Score (%),Price ($)', 'url name spam sellerPrice'],
    ['website,site_name,organic-traffic,GUEST POST PRICE,Link Type', 'url name traffic sellerPrice followType'],
    ['Price EUR,Selling Price,Website', 'sellerPrice publicPrice url'],
    ['Webseite,Kategorie,Land,Sprache,Preis (€),Währung', 'url niche country language sellerPrice currency'],
  ])('finds the fields of %s', (header, fields) => {
    expect(fieldsOf(header)).toEqual({ fields: fields.split(' '), unknown: [] });
  });

  it('reports unknown columns, and a second column for the same field', () => {
    expect(fieldsOf('URL,Contact,Price,Cost,')).toEqual({
      fields: ['url', 'sellerPrice'],
      unknown: ['Contact', 'Cost'],
    });
  });

  it("ignores staff prices and status in a seller's file", () => {
    expect(fieldsOf('URL,Price,Public Price,Admin Price,Status', 'seller')).toEqual({
      fields: ['url', 'sellerPrice'],
      unknown: ['Public Price', 'Admin Price', 'Status'],
    });
  });

  it('requires a URL column, also when a cell is named like an object property', () => {
    expect(fieldsOf('Name,DA,Price')).toBeNull();
    expect(fieldsOf('constructor,__proto__,toString')).toBeNull();
  });

  it('rejects a first row without headers in linear time', () =>
    expectLinearTime(60_000, (size) => {
      expect(mapHeader(['URL', ...'('.repeat(size).split('')], 'staff')).toBeNull();
      expect(mapHeader(['URL', '('.repeat(size), `${' -'.repeat(size / 2)}x`], 'staff')?.unknownHeaders).toHaveLength(
        2,
      );
    }));

  it('reads the currency of a column', () => {
    expect(mapHeader(['URL', 'Price (EUR)'], 'staff')?.columns.sellerPrice?.currency).toBe('EUR');
  });
});

/** Reads a site of a seller's file that has one row. */
function inFile(cells: Record<string, string>) {
  const row = { url: 'a.example', name: 'A', country: 'Norway', niche: 'Travel', price: '120', ...cells };
  const headers = Object.keys(row);
  const mapped = mapColumns(headers, 'seller');
  const marks = [row.price, cells.dr, cells.traffic, cells.spam].map((cell) =>
    detectDecimalMark(stripCurrency(cell ?? '')),
  );
  const style = marks.includes('.') ? 'point' : marks.includes(',') ? 'comma' : 'unknown';
  const read = parseRow(
    { row: 2, cells: Object.values(row), isMalformed: false },
    {
      analysis: {
        ...mapped,
        ...{ headers, style, encoding: 'utf-8', delimiter: ',', headerRow: 1, samples: [], rows: 1 },
      },
      audience: 'seller',
      known: { postTypes: new Map([['guestpost', 'Guest posts']]), niches: new Map(), newNiches: [], maxNewNiches: 1 },
      pricing: { rates: new Map(), rules: [] },
      userId: '',
    },
  );
  if ('problem' in read) return read;
  const { dr, traffic, spam, tat, follow_type, seller_price_cents } = read.site;
  const given = (name: string) => headers.includes(name);
  return {
    ...{ dr: given('dr') ? dr : undefined, traffic: given('traffic') ? traffic : undefined },
    ...{ spam: given('spam') ? spam : undefined, tat: given('tat') ? tat : undefined },
    ...{ followType: given('followType') ? follow_type : undefined, sellerPriceCents: seller_price_cents },
  };
}

describe('a number of a form or a file', () => {
  const price = { label: 'Your price', kind: 'money', currency: 'USD' } as const;

  it.each<[string, NumberField, string]>([
    ['45', siteFigures.dr, '45'],
    ['DR 45', siteFigures.dr, '45'],
    ['dr: 45.5', siteFigures.dr, '45.5'],
    ['45,5', siteFigures.dr, '45.5'],
    ['\u202d45\u202c\u200b', siteFigures.dr, '45'],
    ['12.5k', siteFigures.traffic, '12500'],
    ['1,200', siteFigures.traffic, '1200'],
    ['Monthly traffic 1.2M', siteFigures.traffic, '1200000'],
    ['2%', siteFigures.spam, '2'],
    ['120,50', price, '120.50'],
    ['$120', price, '120'],
    ['1.234', price, '1.234'],
    ['$1,250.50', price, '1250.50'],
    ['120 USD', price, '120'],
    ['120€', { label: '', kind: 'money' }, '120'],
  ])('is read from %j', (typed, field, decimal) => {
    expect(parseField(typed, field)).toEqual({ decimal });
  });

  it.each<[string, NumberField, string]>([
    ['abc', siteFigures.dr, '“abc” is not a number: enter DR as 0–100.'],
    ['DA 45', siteFigures.dr, '“DA 45” is not a number: enter DR as 0–100.'],
    ['DRX 45', siteFigures.dr, '“DRX 45” is not a number: enter DR as 0–100.'],
    ['101', siteFigures.dr, '“101” is out of range: enter DR as 0–100.'],
    ['-5', siteFigures.spam, '“-5” is out of range: enter Spam score as 0–100.'],
    ['€120', price, '“€120” is in EUR: enter Your price in USD, e.g. 120.50.'],
    ['$5 / €4', price, '“$5 / €4” is in EUR: enter Your price in USD, e.g. 120.50.'],
    ['10%', price, '“10%” is not a number: enter Your price in USD, e.g. 120.50.'],
    ['cheap', price, '“cheap” is not a number: enter Your price in USD, e.g. 120.50.'],
  ])('is refused as %j, which the reason quotes', (typed, field, reason) => {
    expect(parseField(typed, field).reason).toBe(reason);
  });

  it('is the same in every notation of one amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (cents) => {
        const [whole, decimals] = toDecimalString(cents).split('.');
        const grouped = Number(whole).toLocaleString('en-US');
        const spellings = [
          `${whole}.${decimals}`,
          `${whole},${decimals}`,
          `${grouped}.${decimals}`,
          `${grouped.replaceAll(',', '.')},${decimals}`,
          `$${grouped}.${decimals}`,
          `${whole},${decimals} USD`,
        ];
        for (const typed of spellings) expect(Number(parseField(typed, price).decimal) * 100).toBeCloseTo(cents, 4);
      }),
    );
  });

  describe.each([
    ['a seller', ownSiteBody],
    ['staff', createSiteBody],
  ])('in the form of %s', (_, schema) => {
    const base = { url: 'a.example', name: 'A', country: 'Norway', niche: 'Travel', price: '120' };

    /** @returns the values of a form, or its messages */
    const inForm = (body: Record<string, unknown>) => {
      const read = schema.safeParse({ ...base, ...body });
      if (!read.success) return { messages: read.error.issues.map(({ message }) => message) };
      const { dr, traffic, spam, tat, followType, sellerPriceCents } = read.data;
      return { dr, traffic, spam, tat, followType, sellerPriceCents };
    };

    type Case = [field: string, typed: string, value: unknown];
    it.each<Case>([
      ...['45', 'DR 45', 'DR: 45', 'dr=45', '45 %', '٤٥', '４５', ' 45 '].map((typed): Case => ['dr', typed, 45]),
      ...['n/a', '-', 'abc', '101', '-5', '45/100', '40–50', 'DA 45'].map((typed): Case => ['dr', typed, null]),
      ...[
        '12.5k',
        '12,5K',
        '12 500',
        '12\u202f500',
        '12\u2009500',
        "12'500",
        '12’500',
        '12,500',
        '12.500',
        '12,5 Tsd.',
      ].map((typed): Case => ['traffic', typed, 12_500]),
      ['traffic', '1,2 Mio', 1_200_000],
      ['traffic', '١٢٬٥٠٠', 12_500],
      ['traffic', '12-15k', null],
      ['spam', '2 %', 2],
      ['spam', '2％', 2],
      ...['3–5 Tage', '5 Tage', '5', '5 business days', '120h', '5 BUSINESS DAYS', '1-5 days'].map(
        (typed): Case => ['tat', typed, '5 Days'],
      ),
      ...['48 horas', '2 days', '24-48h'].map((typed): Case => ['tat', typed, '2 Days']),
      ...['3 semanas', '21 days'].map((typed): Case => ['tat', typed, '21 Days']),
      ...['1 week (7 days)', '1 Woche'].map((typed): Case => ['tat', typed, '7 Days']),
      ['tat', '4-6 weeks (max 45 days)', '45 Days'],
      ...['24 hours to 3 days', '72hrs'].map((typed): Case => ['tat', typed, '3 Days']),
      ...['2-Mar', '02/03/2026', 'soon', '0 days', '400 days', '-3'].map((typed): Case => ['tat', typed, null]),
      ...['120,50', '120.50', '120,50 $', 'USD 120.50', '$120.50/post', '120.5 USD per post'].map(
        (typed): Case => ['price', typed, 12_050],
      ),
      ...['120.-', '120,-', '120/-', '$120', '120 USD', '１２０'].map((typed): Case => ['price', typed, 12_000]),
      ...['1.234,50', '1,234.50', '1 234,50', "1'234.50", '1\u202f234,50'].map(
        (typed): Case => ['price', typed, 123_450],
      ),
      ['price', '1,234', 123_400],
      ['price', '1.2k', 120_000],
      ...['1.234', 'kostenlos', 'free', '0', '-5', '50-60', '10 %', '€50 / $60', '50/month', 'n/a'].map(
        (typed): Case => ['price', typed, null],
      ),
      ...['nofollow', 'No Follow', 'nf', 'no'].map((typed): Case => ['followType', typed, 'NoFollow']),
      ...['DoFollow', 'do-follow', 'YES'].map((typed): Case => ['followType', typed, 'DoFollow']),
    ])('%s %j is %j', (field, typed, value) => {
      const form = inForm({ [field]: typed });
      if (value === null) {
        expect(form).toEqual({ messages: [expect.stringContaining(`“${typed.trim()}”`)] });
        return;
      }
      const name = field === 'price' ? 'sellerPriceCents' : field;
      expect(form).toMatchObject({ [name]: value });
      expect(inFile({ [field]: typed })).toMatchObject({ [name]: value });
    });

    it.each([
      ['Rs. 4,500/-', 'INR'],
      ['120,50 €', 'EUR'],
    ])('a price of %s is in %s, which the form says or takes', (typed, currency) => {
      const read = schema.safeParse({ ...base, price: typed });
      if (read.success) expect(read.data).toMatchObject({ pricedIn: currency });
      else expect(read.error.issues[0]?.message).toBe(`This price is in ${currency}: enter it in USD.`);
    });

    it('gives the value that a file gives, or a message that quotes what was typed', () => {
      const part = fc.constantFrom(
        ...['1', '12', '45', '120', '234', '500', '٤', '５', '0'],
        ...[',', '.', ' ', '\u202f', "'", '-', '–', '/', '+', ':', '%', '$', '€', 'k', 'M', 'Tsd', 'e3'],
        ...['USD', 'per post', '/-', 'DR', 'days', 'h', 'weeks', 'Tage', 'to', 'max', 'n/a', '½', '\u200b'],
      );
      const typed = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
      const field = fc.constantFrom('dr', 'traffic', 'spam', 'tat', 'price');
      fc.assert(
        fc.property(field, typed, (field, typed) => {
          const form = inForm({ [field]: typed });
          const file = inFile({ [field]: typed });
          if ('messages' in form) return;
          // A bare mark of an empty cell is an empty field.
          expect('problem' in file ? { typed, form } : file).toEqual('problem' in file ? {} : form);
        }),
        { numRuns: propertyRuns(1_200) },
      );
    });
  });

  it('is understood by the form of a seller as by a file, and nothing is dropped', () => {
    const site = { url: 'a.example', name: 'A', country: 'Norway', niche: 'Travel', price: '120,50' };
    expect(ownSiteBody.parse({ ...site, dr: 'DR 45', traffic: '12.5k', spam: '2%', da: '' })).toMatchObject({
      ...{ dr: 45, traffic: 12_500, spam: 2, da: null, sellerPriceCents: 12_050 },
    });
    const messages = ownSiteBody
      .safeParse({ ...site, dr: 'abc', price: 'cheap' })
      .error?.issues.map(({ message }) => message);
    expect(messages).toEqual([
      '“abc” is not a number: enter DR as 0–100.',
      expect.stringMatching(/^“cheap” is not a price/),
    ]);
    expect(createSiteBody.safeParse({ ...site, price: '€120' }).success).toBe(false);
    expect(createSiteBody.parse({ ...site, price: '€120', publicCurrency: 'EUR' })).toMatchObject({
      sellerPriceCents: 12_000,
    });
    expect(updateSiteBody.safeParse({ price: '$120' }).success).toBe(false);
  });
});
