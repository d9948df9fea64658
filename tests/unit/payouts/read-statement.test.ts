import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { toDecimalString } from '@/lib/money';
import { readStatement, type StatementRow } from '@/lib/payouts/bank/read-statement';
import { createTextDecoder } from '@/lib/platform/decode-text';
import { propertyRuns } from '@/scripts/testing/tier';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
const read = (text: string) => readStatement(utf8(text));

const namespace = (version: string) => `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`;
const document = (entries: string, version = '08') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace(version)}"><BkToCstmrStmt><GrpHdr><MsgId>S-1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Bal><Amt Ccy="EUR">5.00</Amt></Bal>${entries}</Stmt></BkToCstmrStmt></Document>`;
/** An entry as banks write it: versions before 001.04 have the amount of a payment in AmtDtls only. */
const entry = (fields: string, transaction: string, status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry>${fields}${status}<BookgDt><Dt>2026-11-25</Dt></BookgDt><BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd>
  <NtryDtls><TxDtls>${transaction}</TxDtls></NtryDtls></Ntry>`;
const debit = '<Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>';
const credit = '<Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>';
const refs = (endToEndId: string) => `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>`;
const paid: StatementRow = {
  endToEndId: 'P1',
  amountCents: 1_000,
  currency: 'EUR',
  bookedAt: new Date('2026-11-25T00:00:00Z'),
  direction: 'debit',
  isReturn: false,
  reason: null,
  account: null,
};
const rowsOf = (entries: string) => read(document(entries)).rows;

describe('a camt.053 statement', () => {
  it.each(['02', '04', '06', '08'])('of version 001.%s is read', (version) => {
    const status = Number(version) < 8 ? '<Sts>BOOK</Sts>' : undefined;
    expect(read(document(entry(debit, refs('P1'), status), version))).toEqual({ rows: [paid], skipped: 0 });
  });

  it('tells payments, returns and other credits apart', () => {
    const reason = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account</AddtlInf><AddtlInf>closed</AddtlInf></RtrInf>';
    expect(rowsOf(entry(credit, refs('P1') + reason))).toEqual([
      { ...paid, direction: 'credit', isReturn: true, reason: 'AC04 Account closed' },
    ]);
    expect(rowsOf(entry(`${credit}<RvslInd>true</RvslInd>`, refs('P1')))).toEqual([
      { ...paid, direction: 'credit', isReturn: true },
    ]);
    expect(rowsOf(entry(credit, refs('P1')))).toEqual([{ ...paid, direction: 'credit' }]);
    expect(rowsOf(entry(credit, `${refs('P1')}<RtrInf/>`))).toMatchObject([{ isReturn: true, reason: null }]);
  });

  it.each([
    ['<Acct><Id><IBAN>de89 3704 0044 0532 0130 00</IBAN></Id></Acct>', 'DE89370400440532013000'],
    ['<Acct><Id><Othr><Id>000-123-456</Id></Othr></Id></Acct>', '000123456'],
    ['<Acct><Id><Othr/></Id></Acct>', null],
    ['<Acct><Id/></Acct>', null],
    ['<Acct/>', null],
  ])('names the account of %s as %s', (written, account) => {
    const xml = document(entry(debit, refs('P1'))).replace('<Bal>', `${written}<Bal>`);
    expect(read(xml).rows).toEqual([{ ...paid, account }]);
  });

  it('keeps the accounts of several statements apart', () => {
    const acct = (iban: string) => `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>`;
    const first = document(entry(debit, refs('P1'))).replace('<Bal>', `${acct('DE1')}<Bal>`);
    const second = `<Stmt>${acct('NL2')}${entry(debit, refs('P2'))}</Stmt>`;
    const { rows } = read(first.replace('</Stmt>', `</Stmt>${second}`));
    expect(rows.map(({ endToEndId, account }) => [endToEndId, account])).toEqual([
      ['P1', 'DE1'],
      ['P2', 'NL2'],
    ]);
  });

  it('leaves out what is not booked or cannot be a payout', () => {
    const entries = [
      entry(debit, refs('NOTPROVIDED')),
      entry(debit, '<Refs/>'),
      entry(debit, `${refs('P1')}<RtrInf><Rsn><Prtry>x</Prtry></Rsn></RtrInf>`),
      `<Ntry>${debit}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-25</Dt></BookgDt></Ntry>`,
    ];
    expect(read(document(entries.join('')))).toEqual({ rows: [], skipped: 4 });
    expect(read(document(entry(debit, refs('P1'), '<Sts><Cd>PDNG</Cd></Sts>')))).toEqual({ rows: [], skipped: 0 });
    expect(read(document(''))).toEqual({ rows: [], skipped: 0 });
  });

  it('reads each payment of a collective booking with its own amount and direction', () => {
    const details = (id: string, amount: string) =>
      `<TxDtls>${refs(id)}<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`;
    const entries = `<Ntry>${debit}<Sts>BOOK</Sts><ValDt><DtTm>2026-11-25T23:30:00+01:00</DtTm></ValDt><NtryDtls>${details('P1', '7.5')}</NtryDtls>
      <NtryDtls>${details('P2', '2.50000')}<TxDtls>${refs('P3')}<Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls></NtryDtls></Ntry>`;
    const bookedAt = new Date('2026-11-25T22:30:00Z');
    expect(rowsOf(entries)).toEqual([
      { ...paid, bookedAt, amountCents: 750 },
      { ...paid, bookedAt, endToEndId: 'P2', amountCents: 250 },
      { ...paid, bookedAt, endToEndId: 'P3', amountCents: 100, direction: 'credit' },
    ]);
  });

  it('takes the ordered amount of a payment in another currency, and the booked one otherwise', () => {
    const ordered = (currency: string) =>
      `${refs('P1')}<AmtDtls><InstdAmt><Amt Ccy="${currency}">11.60</Amt></InstdAmt></AmtDtls>`;
    expect(rowsOf(entry(debit, ordered('USD')))).toEqual([{ ...paid, amountCents: 1_160, currency: 'USD' }]);
    expect(rowsOf(entry(debit, ordered('EUR')))).toEqual([paid]);
  });

  it('is read with prefixes, comments, CDATA, processing instructions and escaped characters', () => {
    const xml = document(entry(debit, refs('<![CDATA[P1]]>')))
      .replace(/<(\/?)([A-Z])/g, '<$1ns2:$2')
      .replace('xmlns=', 'xmlns:ns2=');
    expect(read(xml.replace('<ns2:Stmt>', '<?bank x?><!-- <Ntry> --><ns2:Stmt>')).rows).toEqual([paid]);
    expect(rowsOf(entry(debit, refs('A&amp;lt;B')))).toMatchObject([{ endToEndId: 'A&lt;B' }]);
  });

  it('reads a repeated entry once', () => {
    expect(rowsOf(entry(debit, refs('P1')).repeat(3) + entry(credit, refs('P1')))).toHaveLength(2);
  });
});

const one = document(entry(debit, refs('P1')));
const lol = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
const withAmount = (amount: string) => one.replace('>10.00<', `>${amount}<`);

describe('a file of any encoding', () => {
  const csv = 'end_to_end_id,amount,currency,date,status\nP1,10.00,EUR,2026-11-25,executed\n';
  it.each([
    ['with a byte order mark', (text: string) => utf8(`\uFEFF${text}`)],
    ['with Windows line ends', (text: string) => utf8(text.replaceAll('\n', '\r\n'))],
    ['with old Mac line ends', (text: string) => utf8(text.replaceAll('\n', '\r'))],
    ['in UTF-16', (text: string) => utf16(text)],
    ['in big-endian UTF-16', (text: string) => utf16(text, true)],
  ])('%s is read', (_, encode) => {
    expect(readStatement(encode(one)).rows).toEqual([paid]);
    expect(readStatement(encode(csv)).rows).toEqual([paid]);
  });

  it('is read in windows-1252 when it is not UTF-8', () => {
    const bytes = Buffer.from(
      `${csv}P2,1,EUR,2026-11-25,returned\n`
        .replace('status', 'status,reason')
        .replace('returned', 'returned,Geschäft'),
      'latin1',
    );
    expect(readStatement(bytes).rows[1]).toMatchObject({ reason: 'Geschäft' });
  });

  it.each([
    ['windows-1252', [0x92, 0x80, 0x9f], '’€Ÿ'],
    ['ISO-8859-1', [0x92, 0x80, 0x9f], '’€Ÿ'],
    ['ISO-8859-15', [0xa4], '€'],
    ['windows-1250', [0x9f], 'ź'],
    ['unknown', [0x92], '’'],
  ])('keeps every character of XML in %s, and of CSV', (label, bytes, reason) => {
    const fill = (text: string) => {
      const [before = '', after = ''] = text.split('@@');
      return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    };
    const returned = `${refs('P1')}<RtrInf><AddtlInf>@@</AddtlInf></RtrInf>`;
    const xml = document(entry(credit, returned)).replace('UTF-8', label);
    expect(readStatement(fill(xml)).rows).toMatchObject([{ reason }]);
    const table = 'end_to_end_id,amount,currency,date,status,reason\nP1,1,EUR,2026-11-25,returned,@@\n';
    const ofTable = createTextDecoder('windows-1252').decode(Uint8Array.from(bytes));
    expect(readStatement(fill(table)).rows).toMatchObject([{ reason: ofTable }]);
  });
});

function errorOf(file: Uint8Array): unknown {
  try {
    return readStatement(file);
  } catch (thrown) {
    return thrown;
  }
}

describe('a hostile or wrong file', () => {
  it.each([
    [
      'entities that expand',
      `<!DOCTYPE Document [<!ENTITY l0 "lol">${lol}]>${one.replace('P1', '&l10;')}`,
      /document type/,
    ],
    [
      'an external entity',
      `<!doctype Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>${one.replace('P1', '&x;')}`,
      /document type/,
    ],
    ['a document type in UTF-16', utf16(`<!DOCTYPE Document SYSTEM "http://192.0.2.1/x.dtd">${one}`), /document type/],
    ['a truncated document', one.slice(0, -40), /not well-formed/],
    ['deep nesting', document('<a>'.repeat(500) + '</a>'.repeat(500)), /not well-formed/],
    ['a reserved name', document('<__proto__><polluted>1</polluted></__proto__>'), /not well-formed/],
    ['another root', '<html><body/></html>', /not a camt\.053 document/],
    ['two documents', `${one}<Document/>`, /not a camt\.053 document/],
    ['two roots', `${one}<x/>`, /not a camt\.053 document/],
    ['another message', one.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt'), /not a camt\.053 document/],
    ['another namespace', one.replace('camt.053', 'camt.052'), /versions 001\.02 to 001\.08/],
    ['a later version', document('', '13'), /versions 001\.02 to 001\.08/],
    ['no namespace', one.replace(/ xmlns="[^"]*"/, ''), /versions 001\.02 to 001\.08/],
    ['three decimals', withAmount('10.005'), /Amt/],
    ['a negative amount', withAmount('-10.00'), /Amt/],
    ['a decimal comma', withAmount('10,00'), /Amt/],
    ['an exponent', withAmount('1e3'), /Amt/],
    ['an amount beyond safe integers', withAmount('99999999999999999'), /Amt/],
    ['no currency', one.replace('<Amt Ccy="EUR">10', '<Amt>10'), /Amt/],
    ['two amounts', one.replace('<CdtDbtInd>', '<Amt Ccy="EUR">1.00</Amt><CdtDbtInd>'), /Amt/],
    ['an unknown direction', one.replace('DBIT', 'BOTH'), /CdtDbtInd/],
    ['a day that does not exist', one.replace('2026-11-25', '2026-13-45'), /In entry 1, the booking date/],
    ['very many wrong entries', document('<Ntry/>'.repeat(150_000)), /in entry 1, Amt/],
    [
      'very many wrong payments',
      document(entry(debit, `</TxDtls>${'<TxDtls><Amt/></TxDtls>'.repeat(100_000)}<TxDtls>`)),
      /in entry 1, Amt/,
    ],
    [
      'very many wrong statements',
      one.replace('<Stmt>', `${'<Stmt>x</Stmt>'.repeat(150_000)}<Stmt>`),
      /in a statement/,
    ],
    ['no text', Uint8Array.of(1, 0, 2), /contains no text/],
    ['nothing', ' \n', /is empty/],
    ['an archive', 'PK\u0003\u0004', /ZIP archive/],
  ])('with %s is refused', (_, file, message) => {
    const thrown = errorOf(typeof file === 'string' ? utf8(file) : file);
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) });
    expect(thrown).toMatchObject({ message: expect.stringMatching(/^The statement cannot be read\. /) });
  });

  it('above 5 MB is refused before it is read', () => {
    expect(() => readStatement(new Uint8Array(5 * 1024 * 1024 + 1))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  it('of any bytes is read or refused with an error for people', () => {
    const mutation = fc.tuple(
      fc.nat({ max: one.length }),
      fc.string({ unit: fc.constantFrom(...'<>&;"=/![]P1.\0é') }),
      fc.nat({ max: 9 }),
    );
    const mutated = mutation.map(([at, text, removed]) => utf8(one.slice(0, at) + text + one.slice(at + removed)));
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        try {
          for (const { amountCents } of readStatement(bytes).rows) expect(amountCents).toBeGreaterThan(0);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('a CSV statement', () => {
  const table = (line: string, header = 'Reference;Amount;Currency;Date;Status;Reason;Note') =>
    `${header}\n${line}\n\n`;
  it.each([
    ['P1;10.00;eur;2026-11-25;Executed;;', paid],
    ['P1;10,00;EUR;2026-11-25;executed;ignored;x', paid],
    [
      '"P1";"10";EUR;2026-11-25; RETURNED ;"closed; moved"',
      { ...paid, direction: 'credit', isReturn: true, reason: 'closed; moved' },
    ],
    ['P1;10.5;EUR;2026-11-25;returned', { ...paid, amountCents: 1_050, direction: 'credit', isReturn: true }],
  ])('reads %s', (line, row) => {
    expect(read(table(line))).toEqual({ rows: [row], skipped: 0 });
  });

  it('reads a repeated row once', () => {
    expect(read(table('P1;10.00;EUR;2026-11-25;executed\nP1;10;EUR;2026-11-25;executed')).rows).toEqual([paid]);
  });

  it.each([
    ['P1;10.005;EUR;2026-11-25;executed', /Row 2 has the amount "10\.005"/],
    ['P1;10.000;EUR;2026-11-25;executed', /Row 2 has the amount/],
    ['P1;1,234;EUR;2026-11-25;executed', /Row 2 has the amount/],
    ['P1;1.234,50;EUR;2026-11-25;executed', /Row 2 has the amount/],
    ['P1;-10.00;EUR;2026-11-25;executed', /without a sign/],
    ['P1;0;EUR;2026-11-25;executed', /Row 2 has the amount/],
    [';10.00;EUR;2026-11-25;executed', /Row 2 has no reference/],
    ['P1;10.00;;2026-11-25;executed', /Row 2 has no currency/],
    ['P1;10.00;EUR;25.11.2026;executed', /Row 2 has no date/],
    ['P1;10.00;EUR;2026-02-30;executed', /Row 2 has no date/],
    ['P1;10.00;EUR;2026-11-25;failed', /Row 2 has a status/],
    ['P1', /Row 2 has the amount ""/],
    ['"P1;10.00', /quote/],
  ])('refuses %s', (line, message) => {
    expect(() => read(table(line))).toThrow(message);
  });

  it('names missing columns', () => {
    expect(() => read('a,b\n1,2')).toThrow(/missing: end_to_end_id, amount, currency, date, status/);
  });
});

it('any rows survive the round trip through camt.053 and CSV', () => {
  const rows = fc.uniqueArray(
    fc
      .record({
        endToEndId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{0,34}$/),
        amountCents: fc.integer({ min: 1, max: 99_999_999_999 }),
        currency: fc.constantFrom('EUR', 'USD'),
        bookedAt: fc.constantFrom(new Date('2026-11-25'), new Date('2028-02-29')),
        isReturn: fc.boolean(),
      })
      .filter(({ endToEndId }) => !/^(?:NOTPROVIDED|NOTAVAILABLE|NONREF|NA)$/i.test(endToEndId))
      .map(
        (row): StatementRow => ({
          ...row,
          direction: row.isReturn ? 'credit' : 'debit',
          reason: row.isReturn ? 'AC04 closed' : null,
          account: null,
        }),
      ),
    { selector: (row) => JSON.stringify(row), maxLength: 20 },
  );
  fc.assert(
    fc.property(rows, (any) => {
      const day = (at: Date) => at.toISOString().slice(0, 10);
      const entries = any.map(({ endToEndId, amountCents, currency, bookedAt, isReturn }) =>
        entry(
          `<Amt Ccy="${currency}">${toDecimalString(amountCents)}</Amt><CdtDbtInd>${isReturn ? 'CRDT' : 'DBIT'}</CdtDbtInd>`,
          refs(endToEndId) + (isReturn ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></RtrInf>' : ''),
        ).replace('2026-11-25', day(bookedAt)),
      );
      expect(read(document(entries.join('')))).toEqual({ rows: any, skipped: 0 });
      const lines = any.map(({ endToEndId, amountCents, currency, bookedAt, isReturn, reason }) =>
        [
          endToEndId,
          toDecimalString(amountCents),
          currency,
          day(bookedAt),
          isReturn ? 'returned' : 'executed',
          reason,
        ].join(),
      );
      const csv = ['end_to_end_id,amount,currency,date,status,reason', ...lines].join('\n');
      expect(read(csv)).toEqual({ rows: any, skipped: 0 });
    }),
  );
});
