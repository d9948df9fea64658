import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addKeys, readCredits } from '@/lib/payments/bank-transfers/read-credits';
import { createReference, findReferences, formatReference } from '@/lib/payments/bank-transfers/reference';
import { propertyRuns } from '@/scripts/testing/tier';
import { creditStatement, creditTable, operatorAccounts } from '@/tests/setup/bank-credits';

const accounts = Object.values(operatorAccounts);
const { iban } = operatorAccounts.EUR;
const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (file: Uint8Array, chosen?: string) => readCredits(file, accounts, chosen);
const reference = 'RF62KRMTPWQXTB';

describe('the CSV file of a bank', () => {
  /** The titles, separators, notations and encodings of real banks; each file has one credit of 1,234.56 and one debit. */
  it.each([
    [
      'a German savings bank, in windows-1252',
      Buffer.from(
        `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"W\u00e4hrung";"Info"
"${iban}";"20.11.26";"20.11.26";"GUTSCHRIFT";"Rechnung ${reference}";"M\u00fcller GmbH";"DE02120300000000202051";"BYLADEM1001";"1.234,56";"EUR";"Umsatz gebucht"
"${iban}";"20.11.26";"20.11.26";"LASTSCHRIFT";"Miete";"Vermieter";"DE02";"B";"-800,00";"EUR";"Umsatz gebucht"
"${iban}";"21.11.26";"21.11.26";"GUTSCHRIFT";"Nicht gebucht";"X";"DE02";"B";"5,00";"EUR";"Umsatz vorgemerkt"`,
        'latin1',
      ),
      'Müller GmbH',
    ],
    [
      'a German bank with lines above the titles',
      utf8(`"Girokonto";"${iban}"
"Zeitraum:";"01.11.2026 - 30.11.2026"

"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"
"20.11.26";"20.11.26";"Gebucht";"Müller GmbH";"Wir";"${formatReference(reference)}";"Eingang";"DE02120300000000202051";"1.234,56 €"
"19.11.26";"19.11.26";"Gebucht";"Wir";"Miete";"x";"Ausgang";"DE02";"-800,00 €"`),
      'Müller GmbH',
    ],
    [
      'a Dutch bank, where a column has the sign',
      utf8(`"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"
"20261120","Müller GmbH","${iban}","NL20INGB0001234567","OV","Bij","1234,56","Overschrijving","Ref ${reference.toLowerCase()} dank"
"20261119","Huur","${iban}","NL20","OV","Af","800,00","Overschrijving","Huur"`),
      'Müller GmbH',
    ],
    [
      'a Polish bank',
      utf8(`\uFEFFData księgowania;Data operacji;Nadawca/Odbiorca;Tytuł;Kwota;Waluta;Rachunek
2026-11-20;2026-11-20;Müller GmbH;Zapłata ${reference};1 234,56;EUR;${iban}
2026-11-19;2026-11-19;Czynsz;x;-800,00;EUR;${iban}`),
      'Müller GmbH',
    ],
    [
      'a French bank with two columns of amounts',
      utf8(`Date comptable;Libellé;Débit;Crédit;Devise
20/11/2026;VIR MULLER ${reference};;1234,56;EUR
19/11/2026;LOYER;800,00;;EUR`),
      '',
    ],
    [
      'a fintech in English',
      utf8(`Date started (UTC),Date completed (UTC),ID,Type,State,Description,Payer,Amount,Payment currency
2026-11-20,2026-11-20,66aa-1,TOPUP,COMPLETED,Money added ${reference},Müller GmbH,"1,234.56",EUR
2026-11-19,2026-11-19,66aa-2,TRANSFER,COMPLETED,Rent,x,-800.00,EUR
2026-11-21,,66aa-3,TOPUP,PENDING,Not yet,x,5.00,EUR`),
      'Müller GmbH',
    ],
    [
      'a Polish bank in windows-1250, with titles of the first column of a text only',
      Buffer.from(
        `"Data operacji","Data waluty","Kwota","Waluta","Nadawca","Opis operacji","",""
"2026-11-20","2026-11-20","+1234.56","EUR","\u00a3ukasz","Przelew przychodz\u00b9cy","Z konta: 61109010140000071219812874","Tytu\u00b3: ${reference}"
"2026-11-19","2026-11-19","-800.00","EUR","X","Obci\u00b9\u00bfenie","",""`,
        'latin1',
      ),
      'Łukasz',
    ],
    [
      'a Polish bank that writes the name of the account, and the currency behind the amount',
      utf8(`mBank S.A.;
#Za okres:;01.11.2026;30.11.2026

#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;
2026-11-20;"PRZELEW PRZYCHODZACY ${reference}";"eKonto 1234 ... 5678";"Wplywy";1 234,56 EUR;;
2026-11-19;"CZYNSZ";"eKonto 1234 ... 5678";"Dom";-800,00 EUR;;`),
      '',
    ],
    [
      'a fintech where an amount was ordered in another currency',
      utf8(`Date completed (UTC),State,Description,Reference,Payer,Orig currency,Orig amount,Payment currency,Amount,Account
2026-11-20,COMPLETED,Money added,${reference},Müller GmbH,USD,1300.00,EUR,"1,234.56",EUR Main
2026-11-19,COMPLETED,Rent,x,x,EUR,-800.00,EUR,-800.00,EUR Main`),
      'Müller GmbH',
    ],
    [
      'a German cooperative bank, where a column without a title has the sign',
      utf8(`"Buchungstag";"Valuta";"Auftraggeber";"Vorgang/Verwendungszweck";"Währung";"Umsatz";" "
"20.11.2026";"20.11.2026";"Müller GmbH";"GUTSCHRIFT ${reference}";"EUR";"1.234,56";"H"
"19.11.2026";"19.11.2026";"Vermieter";"Miete";"EUR";"800,00";"S"
"offen";"20.11.2026";"X";"Noch nicht gebucht";"EUR";"5,00";"H"`),
      'Müller GmbH',
    ],
    [
      'a Dutch bank with several columns of text, which names no country of the account',
      utf8(`"IBAN/BBAN","Munt","Volgnr","Datum","Bedrag","Naam tegenpartij","Omschrijving-1","Omschrijving-2"
"${iban.slice(2)}","EUR","17","2026-11-20","+1234,56","Müller GmbH","Ref ${reference.slice(0, 8)}","${reference.slice(8)}"
"${iban}","EUR","16","2026-11-19","-800,00","Huur","",""`),
      'Müller GmbH',
    ],
  ])('of %s is read', (_, file, payerName) => {
    expect(read(file)).toMatchObject({
      credits: [
        {
          account: iban,
          bookedOn: '2026-11-20',
          amountMinor: 123_456,
          currency: 'EUR',
          payerName,
          references: [reference],
        },
      ],
      ignored: 1,
    });
  });

  it('of an American bank is in dollars, with the month first if a day of the file shows it', () => {
    const file = utf8(
      'Posting Date,Description,Amount\n11/20/2026,WIRE IN,"$1,000.00"\n11/05/2026,WIRE IN,(12.50)\n11/05/2026,FEE,USD -3.00\n11/05/2026,WIRE,7',
    );
    const chosen = read(file, operatorAccounts.USD.accountNumber);
    expect(chosen.credits.map(({ bookedOn, amountMinor, currency }) => [bookedOn, amountMinor, currency])).toEqual([
      ['2026-11-20', 100_000, 'USD'],
      ['2026-11-05', 700, 'USD'],
    ]);
    expect(() => read(file)).toThrow('does not name its account');
  });

  it('with days that can be read in two ways is refused, but not where the country writes the day first', () => {
    const file = utf8('Date (UTC),Description,Amount\n11-05-2026,WIRE IN,1000.00\n11-05-2026,WIRE IN,7.50');
    expect(() => read(file, operatorAccounts.USD.accountNumber)).toThrow('the day or with the month first');
    expect(read(file, iban).credits[0]).toMatchObject({ bookedOn: '2026-05-11' });
    const longer = Buffer.concat([file, utf8('\n10-28-2026,WIRE IN,1.00')]);
    expect(read(longer, operatorAccounts.USD.accountNumber).credits[0]).toMatchObject({ bookedOn: '2026-11-05' });
  });

  it('is refused rather than guessed', () => {
    const one =
      (amount: string, day = '2026-11-20') =>
      () =>
        read(utf8(`Date;Amount;Currency\n${day};${amount};EUR`));
    expect(one('1.234')).toThrow('not clear');
    expect(one('12.345,678')).toThrow('not clear');
    expect(one('abc')).toThrow('not clear');
    expect(one('1,00', '2026-02-30')).toThrow('not clear');
    expect(one('1,00', '2199-01-01')).toThrow('in the future');
    expect(read(utf8('Date;Debit;Credit\n2026-11-20;;-5,00'), iban)).toEqual({ credits: [], ignored: 1 });
    expect(one('1000000000,00')).toThrow('no bank transfers at once');
    expect(() => read(utf8('Name;City\nA;B'))).toThrow('neither a camt.053 document nor');
    expect(() => read(creditStatement([{ cents: 5 }], 'EUR', 'DE89370400440532013000'))).toThrow(
      'none of the operator',
    );
  });
});

describe('a camt.053 statement', () => {
  const entry = (fields: string, transactions: string) =>
    utf8(
      creditStatement([{ cents: 1 }], 'EUR')
        .toString()
        .replace(
          /<Ntry>.*<\/Ntry>/s,
          `<Ntry>${fields}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls>${transactions}</NtryDtls></Ntry>`,
        ),
    );
  const transaction = (amount: string, rest: string) => `<TxDtls>${amount}${rest}</TxDtls>`;
  const text = (value: string) => `<RmtInf><Ustrd>${value}</Ustrd></RmtInf>`;

  it('splits an entry by its payments only if they add up to it', () => {
    const parts =
      transaction('<Amt Ccy="EUR">4.00</Amt>', text('A')) + transaction('<Amt Ccy="EUR">6.00</Amt>', text('B'));
    const amounts = (file: Uint8Array) =>
      read(file).credits.map(({ amountMinor, remittance }) => [amountMinor, remittance]);
    expect(amounts(entry('<Amt Ccy="EUR">10.00</Amt>', parts))).toEqual([
      [400, 'A'],
      [600, 'B'],
    ]);
    expect(amounts(entry('<Amt Ccy="EUR">9.50</Amt>', parts))).toEqual([[950, 'A B']]);
  });

  it('credits what the account received, not what was ordered in another currency', () => {
    const ordered = '<AmtDtls><InstdAmt><Amt Ccy="GBP">8.00</Amt></InstdAmt></AmtDtls>';
    expect(read(entry('<Amt Ccy="EUR">9.40</Amt>', transaction('', ordered))).credits).toMatchObject([
      { amountMinor: 940, currency: 'EUR' },
    ]);
  });

  it('finds a structured reference, and hides the IBANs of payers', () => {
    const structured = `<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd><Ustrd>von DE89 3704 0044 0532 0130 00</Ustrd></RmtInf>`;
    const [credit] = read(entry('<Amt Ccy="EUR">9.40</Amt>', transaction('', structured))).credits;
    expect(credit).toMatchObject({ references: [reference], remittance: `SCOR ${reference} von DE…00` });
  });

  it('ignores debits and returned payments to sellers, and keeps credits that the bank took back', () => {
    const file = creditStatement([{ cents: 100 }, { cents: 200, isDebit: true }, { cents: 300, isReversal: true }]);
    expect(read(file)).toMatchObject({
      credits: [
        { amountMinor: 100, isReversal: false },
        { amountMinor: 300, isReversal: true },
      ],
      ignored: 1,
    });
    const returned = entry('<Amt Ccy="EUR">9.40</Amt>', transaction('', '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'));
    expect(read(returned)).toEqual({ credits: [], ignored: 1 });
    const leaving = utf8(Buffer.from(returned).toString().replace('CRDT', 'DBIT'));
    expect(read(leaving).credits).toMatchObject([{ amountMinor: 940, isReversal: true }]);
    expect(read(entry('<Amt Ccy="EUR">9.40</Amt><RvslInd>true</RvslInd>', ''))).toEqual({ credits: [], ignored: 1 });
  });

  it('has the booking day of the bank, in any time zone', () => {
    const file = entry('<Amt Ccy="EUR">9.40</Amt>', '');
    const days = ['2026-11-20T00:00:00+01:00', '2026-11-20T23:30:00-05:00', '2026-11-20T12:00:00'].map((time) =>
      read(utf8(Buffer.from(file).toString().replace('<Dt>2026-11-20</Dt>', `<DtTm>${time}</DtTm>`))).credits.map(
        ({ bookedOn }) => bookedOn,
      ),
    );
    expect(days).toEqual([['2026-11-20'], ['2026-11-20'], ['2026-11-20']]);
  });

  it('is recognized in another file by its content if the bank numbers the entries of each file', () => {
    const keys = [1, 7].map((number) =>
      addKeys(read(entry(`<NtryRef>${number}</NtryRef><Amt Ccy="EUR">9.40</Amt>`, transaction('', text('A')))).credits),
    );
    expect(keys[0]).toEqual(keys[1]);
  });
});

describe('a reference', () => {
  it('is found in any text that contains its characters in order, and nothing else is', () => {
    const noise = fc.stringMatching(/^[ .,/+a-z-]{0,12}$/);
    fc.assert(
      fc.property(noise, noise, fc.constantFrom(' ', '\n', '-', ''), fc.boolean(), (before, after, gap, isLower) => {
        const made = createReference();
        const written = formatReference(made).replace(/ /g, gap);
        const all = `${before.replace(/rf?$/i, '')} ${isLower ? written.toLowerCase() : written} ${after}`;
        expect(findReferences(all)).toContain(made);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is not found with one wrong character, or two neighbors swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 13 }), fc.constantFrom(...'BCDFGHJKLMNPQRSTVWXZ'), (at, wrong) => {
        const made = createReference();
        const typo = made.slice(0, at) + wrong + made.slice(at + 1);
        const swapped = made.slice(0, at) + (made[at + 1] ?? '') + (made[at] ?? '') + made.slice(at + 2);
        for (const text of [typo, swapped]) if (text !== made) expect(findReferences(text)).not.toContain(text);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('accepts the letters that people write for 0 and 1 in the check digits', () => {
    const made = Array.from({ length: 500 }, createReference).find((one) => /^RF[01]/.test(one)) ?? '';
    expect(
      findReferences(made.slice(0, 2) + made.slice(2, 4).replace('0', 'O').replace('1', 'I') + made.slice(4)),
    ).toEqual([made]);
  });
});

describe('the keys of lines', () => {
  it('differ for equal lines of a file, and are the same in a file that overlaps', () => {
    const lines = [{ cents: 5, text: 'A' }, { cents: 5, text: 'a ' }, { cents: 6 }];
    const keys = (file: Uint8Array) => addKeys(read(file).credits).map(({ key }) => key);
    const first = keys(creditTable(lines));
    expect(new Set(first).size).toBe(3);
    expect(keys(creditTable([...lines, { cents: 7 }])).slice(0, 3)).toEqual(first);
    const content = (file: Uint8Array) => addKeys(read(file).credits).map(({ contentKey }) => contentKey);
    expect(content(creditStatement(lines.map((line, at) => ({ ...line, reference: `B${at}` }))))).toEqual(
      content(creditTable(lines)),
    );
  });
});
