import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import type { BankBatch } from '@/lib/payouts/bank/batch';
import { buildPain001 } from '@/lib/payouts/bank/payout-files';
import { propertyRuns } from '@/scripts/testing/tier';
import { pain001Schema } from '@/tests/setup/conformance/pain001-message';
import { americanSeller, batch, batches, payer, seller } from './bank-batches';

const schemaName = 'pain.001.001.09.xsd';
/** What the application writes of the message, with the characters that banks accept. */
const ownSchema = readFileSync(join(import.meta.dirname, '../../setup/conformance', schemaName), 'utf8');
/** A folder with the files of iso20022.org. */
const officialFolder = process.env.ISO20022_SCHEMAS;
const official = officialFolder ? [readFileSync(join(officialFolder, schemaName), 'utf8')] : [];
const schemas = [ownSchema, pain001Schema, ...official];

/** Returns what each schema says against each document. */
async function listErrors(xml: { fileName: string; contents: string }[]): Promise<string[]> {
  const results = await Promise.all(schemas.map((schema) => validateXML({ xml, schema })));
  return results.flatMap(({ errors }) => errors.map(({ rawMessage }) => rawMessage));
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === 'PmtInf' || name === 'CdtTrfTxInf' || name === 'AdrLine',
});
const totals = { NbOfTxs: z.string(), CtrlSum: z.string() };
const written = z.object({
  Document: z.object({
    CstmrCdtTrfInitn: z.object({
      GrpHdr: z.looseObject(totals),
      PmtInf: z.array(
        z.looseObject({
          ...totals,
          PmtInfId: z.string(),
          PmtTpInf: z.object({ SvcLvl: z.object({ Cd: z.string() }) }),
          DbtrAgt: z.unknown(),
          CdtTrfTxInf: z.array(
            z.looseObject({
              PmtId: z.looseObject({ EndToEndId: z.string() }),
              Amt: z.object({ InstdAmt: z.object({ '#text': z.string(), '@_Ccy': z.string() }) }),
              CdtrAgt: z.unknown().optional(),
              Cdtr: z.object({ Nm: z.string(), PstlAdr: z.unknown() }),
              CdtrAcct: z.unknown(),
              RmtInf: z.object({ Ustrd: z.string() }).optional(),
            }),
          ),
        }),
      ),
    }),
  }),
});
const read = (xml: string) => written.parse(parser.parse(xml)).Document.CstmrCdtTrfInitn;
const cents = (amount: string) => BigInt(amount.replace('.', ''));
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** The payouts of the batch with other details of their payees. */
const withDetails = (change: { holder: string; town: string }) =>
  batch.payouts.map((payout) => ({ ...payout, details: { ...payout.details, ...change } }));

describe('a pain.001 document', () => {
  it('is valid and carries each payout by its rail', async () => {
    const xml = buildPain001(batch);
    expect(await listErrors([{ fileName: 'one.xml', contents: xml }])).toEqual([]);
    const { GrpHdr, PmtInf } = read(xml);
    expect(GrpHdr).toEqual({
      MsgId: batch.messageId,
      CreDtTm: '2026-11-24T09:30:15Z',
      NbOfTxs: '2',
      CtrlSum: '123.46',
      InitgPty: { Nm: 'LinkMarket B.V.' },
    });
    expect(
      PmtInf.map(({ PmtInfId, PmtTpInf, NbOfTxs, CtrlSum }) => [PmtInfId, PmtTpInf.SvcLvl.Cd, NbOfTxs, CtrlSum]),
    ).toEqual([
      [`${batch.messageId}-1`, 'SEPA', '1', '123.45'],
      [`${batch.messageId}-2`, 'NURG', '1', '0.01'],
    ]);
    expect(PmtInf.flatMap(({ CdtTrfTxInf }) => CdtTrfTxInf)).toEqual([
      {
        PmtId: { InstrId: '01KAR6V9M3W0C2QHN4E5T6Y7Z1', EndToEndId: '01KAR6V9M3W0C2QHN4E5T6Y7Z1' },
        Amt: { InstdAmt: { '#text': '123.45', '@_Ccy': 'EUR' } },
        Cdtr: {
          Nm: "Muller + Sohne 'Links' GmbH",
          PstlAdr: { PstCd: '10115', TwnNm: 'Berlin', Ctry: 'DE', AdrLine: ['Grosse Strasse 1'] },
        },
        CdtrAcct: { Id: { IBAN: 'DE89370400440532013000' } },
        RmtInf: { Ustrd: 'Payout No1 - Grusse' },
      },
      {
        PmtId: { InstrId: '01KAR6V9M3W0C2QHN4E5T6Y7Z2', EndToEndId: '01KAR6V9M3W0C2QHN4E5T6Y7Z2' },
        Amt: { InstdAmt: { '#text': '0.01', '@_Ccy': 'EUR' } },
        CdtrAgt: { FinInstnId: { ClrSysMmbId: { ClrSysId: { Cd: 'USABA' }, MmbId: '021000021' } } },
        Cdtr: {
          Nm: 'Jane Doe',
          PstlAdr: { TwnNm: 'New York', Ctry: 'US', AdrLine: ['1 Main St', 'Apt .4'] },
        },
        CdtrAcct: { Id: { Othr: { Id: '00012345678' } }, Tp: { Cd: 'SVGS' } },
        RmtInf: { Ustrd: 'Payout 2' },
      },
    ]);
  });

  it('names the bank of the payer when it is known', () => {
    const agentOf = (of: BankBatch['payer']) => read(buildPain001({ ...batch, payer: of })).PmtInf[0]?.DbtrAgt;
    expect(agentOf(payer)).toEqual({ FinInstnId: { BICFI: 'ABNANL2A' } });
    expect(agentOf(seller)).toEqual({ FinInstnId: { Othr: { Id: 'NOTPROVIDED' } } });
    expect(agentOf(americanSeller)).toMatchObject({ FinInstnId: { ClrSysMmbId: { MmbId: '021000021' } } });
  });

  it('uses SEPA for euros between two IBANs of its area only', () => {
    const levels = (change: Partial<BankBatch>) =>
      read(buildPain001({ ...batch, ...change })).PmtInf.map(({ PmtTpInf }) => PmtTpInf.SvcLvl.Cd);
    expect(levels({ currency: 'USD' })).toEqual(['NURG']);
    expect(levels({ payer: americanSeller })).toEqual(['NURG']);
    expect(levels({ payouts: batch.payouts.slice(0, 1) })).toEqual(['SEPA']);
  });

  it('fails in the schema with a wrong character, order, amount or repeated reference', async () => {
    const xml = buildPain001(batch);
    const wrong = [
      xml.replace('Jane Doe', 'Jané Doe'),
      xml.replace('Jane Doe', '//Jane'),
      xml.replace(/(<PmtMtd>.*<\/PmtMtd>)\s*(<BtchBookg>.*<\/BtchBookg>)/, '$2$1'),
      xml.replace('>123.45</InstdAmt>', '>-123.45</InstdAmt>'),
      xml.replaceAll('Y7Z2', 'Y7Z1'),
      xml.replace('2026-11-25', '2026-02-30'),
    ];
    expect(wrong.filter((document) => document === xml)).toEqual([]);
    for (const document of wrong) {
      const { valid } = await validateXML({ xml: document, schema: ownSchema });
      expect(valid, document).toBe(false);
    }
  });

  it('is valid in every variant', async () => {
    const variants: Record<string, Partial<BankBatch>> = {
      'dollars from a US account': { payer: americanSeller, currency: 'USD' },
      'dollars from an IBAN': { currency: 'USD' },
      pounds: { currency: 'GBP' },
      'euros to IBANs only': { payouts: batch.payouts.slice(0, 1) },
      'euros to US accounts only': { payouts: batch.payouts.slice(1) },
      'a payer without a BIC': { payer: seller },
      'special characters': { payouts: withDetails({ holder: '<Ærø & Żółć> "№" 😀', town: "L'Île-d'Élle" }) },
      'texts of the greatest length': {
        messageId: 'm'.repeat(33),
        payouts: batch.payouts.map((payout, at) => ({
          ...payout,
          endToEndId: `${at}${'e'.repeat(34)}`,
          amountCents: 99_999_999_999,
          remittance: 'r'.repeat(300),
          details: {
            ...payout.details,
            ...{ holder: 'h'.repeat(70), town: 't'.repeat(35), postalCode: 'p'.repeat(16) },
            addressLines: ['a'.repeat(70), 'b'.repeat(70)],
          },
        })),
      },
      'texts that get longer by transliteration': {
        payouts: withDetails({ holder: 'ß'.repeat(70), town: '東'.repeat(35) }),
      },
      'one cent, and no text': { payouts: batch.payouts.slice(1).map((payout) => ({ ...payout, remittance: ' ' })) },
      'the most payouts of a batch': {
        payouts: Array.from({ length: 500 }, (_, at) => ({
          endToEndId: `P${at}`,
          amountCents: at + 1,
          details: at % 2 === 0 ? seller : americanSeller,
          remittance: `Payout ${at}`,
        })),
      },
    };
    const documents = Object.entries(variants).map(([name, change]) => ({
      fileName: `${name}.xml`,
      contents: buildPain001({ ...batch, ...change }),
    }));
    expect(await listErrors(documents)).toEqual([]);
  });

  it('may have every part of the message in the schema of the whole one', async () => {
    const whole = buildPain001(batch)
      .replace('</EndToEndId>', '</EndToEndId><UETR>eb6305c9-1f7f-49de-aed0-16487c27b42d</UETR>')
      .replace(
        '</Ustrd>',
        '</Ustrd><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp></CdtrRefInf></Strd>',
      )
      .replace(
        '</CstmrCdtTrfInitn>',
        '<SplmtryData><Envlp><x xmlns="urn:x"/></Envlp></SplmtryData></CstmrCdtTrfInitn>',
      );
    for (const schema of [pain001Schema, ...official]) {
      const { errors } = await validateXML({ xml: whole, schema });
      expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([]);
    }
    expect((await validateXML({ xml: whole, schema: ownSchema })).valid).toBe(false);
  });

  it('is refused by the schema of the whole message when it is broken', async () => {
    const xml = buildPain001(batch);
    const breaks: Record<string, (xml: string) => string> = {
      'an element in another order': (xml) =>
        xml.replace(/(<PmtMtd>.*<\/PmtMtd>)\s*(<BtchBookg>.*<\/BtchBookg>)/, '$2$1'),
      'no reference of the message': (xml) => xml.replace(/<MsgId>.*<\/MsgId>/, ''),
      'no bank of the payer': (xml) => xml.replace(/<DbtrAgt>[\s\S]*?<\/DbtrAgt>/, ''),
      'no payments': (xml) => xml.replace(/<PmtInf>[\s\S]*<\/PmtInf>/, ''),
      'an element that the message does not have': (xml) => xml.replace('<CdtrAcct>', '<CdtrAcct><Branch/>'),
      'two ways to name an account': (xml) => xml.replace('</IBAN>', '</IBAN><Othr><Id>1</Id></Othr>'),
      'two dates of execution': (xml) => xml.replace('</Dt>', '</Dt><DtTm>2026-11-25T00:00:00Z</DtTm>'),
      'an empty name': (xml) => xml.replace('Jane Doe', ''),
      'a name of 141 characters': (xml) => xml.replace('Jane Doe', 'x'.repeat(141)),
      'an eighth address line': (xml) => xml.replace('</Ctry>', `</Ctry>${'<AdrLine>x</AdrLine>'.repeat(7)}`),
      'a reference of 36 characters': (xml) => xml.replace('Y7Z1</EndToEndId>', `${'x'.repeat(14)}</EndToEndId>`),
      'a negative amount': (xml) => xml.replace('>123.45</InstdAmt>', '>-123.45</InstdAmt>'),
      'an amount of six decimals': (xml) => xml.replace('>123.45</InstdAmt>', '>123.456789</InstdAmt>'),
      'an amount of 19 digits': (xml) => xml.replace('>123.45</InstdAmt>', `>${'9'.repeat(19)}</InstdAmt>`),
      'a comma in an amount': (xml) => xml.replace('>123.45</InstdAmt>', '>123,45</InstdAmt>'),
      'an amount without a currency': (xml) => xml.replace(' Ccy="EUR"', ''),
      'a currency in lower case': (xml) => xml.replace('Ccy="EUR"', 'Ccy="eur"'),
      'a count of 16 digits': (xml) => xml.replace('<NbOfTxs>2<', `<NbOfTxs>${'1'.repeat(16)}<`),
      'an IBAN with spaces': (xml) => xml.replace('DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'),
      'a BIC of nine characters': (xml) => xml.replace('ABNANL2A<', 'ABNANL2AX<'),
      'a country of three letters': (xml) => xml.replace('<Ctry>DE<', '<Ctry>DEU<'),
      'an unknown bearer of the charges': (xml) => xml.replace('<ChrgBr>SLEV<', '<ChrgBr>OUR<'),
      'an unknown method': (xml) => xml.replace('<PmtMtd>TRF<', '<PmtMtd>SCT<'),
      'a day that does not exist': (xml) => xml.replace('2026-11-25', '2026-02-30'),
      'another version': (xml) => xml.replace('pain.001.001.09', 'pain.001.001.03'),
      'another message': (xml) => xml.replaceAll('CstmrCdtTrfInitn', 'CstmrDrctDbtInitn'),
    };
    const documents = Object.entries(breaks).map(([name, breakIt]) => ({
      fileName: `${name}.xml`,
      contents: breakIt(xml),
    }));
    expect(documents.filter(({ contents }) => contents === xml)).toEqual([]);
    for (const schema of [pain001Schema, ...official]) {
      const { errors } = await validateXML({ xml: documents, schema });
      const refused = new Set(errors.map(({ loc }) => loc?.fileName));
      expect(documents.filter(({ fileName }) => !refused.has(fileName)).map(({ fileName }) => fileName)).toEqual([]);
    }
  });

  it('is valid for any batch, with the sums and references of its payouts', async () => {
    const documents: { fileName: string; contents: string }[] = [];
    fc.assert(
      fc.property(batches, (any) => {
        const xml = buildPain001(any);
        expect(buildPain001(structuredClone(any))).toBe(xml);
        documents.push({ fileName: `${documents.length}.xml`, contents: xml });
        const { GrpHdr, PmtInf } = read(xml);
        const transfers = PmtInf.flatMap(({ CdtTrfTxInf }) => CdtTrfTxInf);
        expect(cents(GrpHdr.CtrlSum)).toBe(sum(any.payouts.map(({ amountCents }) => BigInt(amountCents))));
        for (const group of [{ ...GrpHdr, CdtTrfTxInf: transfers }, ...PmtInf]) {
          expect(group.NbOfTxs).toBe(String(group.CdtTrfTxInf.length));
          expect(cents(group.CtrlSum)).toBe(sum(group.CdtTrfTxInf.map(({ Amt }) => cents(Amt.InstdAmt['#text']))));
        }
        const references = transfers.map(({ PmtId }) => PmtId.EndToEndId);
        expect(references.toSorted()).toEqual(any.payouts.map(({ endToEndId }) => endToEndId).toSorted());
        expect(new Set(PmtInf.map(({ PmtInfId }) => PmtInfId)).size).toBe(PmtInf.length);
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(await listErrors(documents)).toEqual([]);
  });
});

it.each<[string, Partial<BankBatch>, RegExp]>([
  ['no payouts', { payouts: [] }, /no payouts/],
  ['a payout twice', { payouts: batch.payouts.flatMap((payout) => [payout, payout]) }, /in the batch twice/],
  ['an amount of 0', { payouts: batch.payouts.map((payout) => ({ ...payout, amountCents: 0 })) }, /amount/],
  ['a fraction of a cent', { payouts: batch.payouts.map((payout) => ({ ...payout, amountCents: 1.5 })) }, /amount/],
  [
    'an amount above the limit of SEPA',
    { payouts: batch.payouts.map((one) => ({ ...one, amountCents: 1e11 })) },
    /amount/,
  ],
  ['a reference with a slash', { payouts: batch.payouts.map((one) => ({ ...one, endToEndId: 'a/b' })) }, /reference/],
  [
    'a reference of 36 characters',
    { payouts: batch.payouts.map((one) => ({ ...one, endToEndId: 'a'.repeat(36) })) },
    /reference/,
  ],
  ['a message reference of 34 characters', { messageId: 'a'.repeat(34) }, /reference/],
  ['a day that does not exist', { executionDate: '2026-02-30' }, /execution date/],
  ['a currency without cents', { currency: 'JPY' }, /JPY/],
  ['a name without readable characters', { payer: { ...payer, holder: '😀…' } }, /Latin letters/],
])('refuses a batch with %s', (_, change, message) => {
  const build = () => buildPain001({ ...batch, ...change });
  expect(build).toThrow(AppError);
  expect(build).toThrow(message);
});
