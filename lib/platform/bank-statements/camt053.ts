import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { isDay, toAccountNumber, toCents, unreadableError } from './file';

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.0[2-8]$/;
const repeated = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'AddtlInf', 'Ustrd', 'Strd']);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // The document type, which could define entities, is refused before; this decodes &amp; and its like.
  processEntities: true,
  maxNestedTags: 30,
  // Namespace prefixes are removed here and not by removeNSPrefix, which also removes the declaration of the namespace.
  transformTagName: (name) => name.replace(/^.*:/, ''),
  isArray: (name) => repeated.has(name),
});

/** Parses an element with content; the parser returns '' for an empty one. */
const element = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? {} : value), z.object(shape));
/** A text, which the parser wraps when its element has attributes. */
const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((value) => value['#text'])]);
const amount = z
  .object({
    '#text': z.string().transform((value, context) => {
      const cents = toCents(value);
      if (cents !== null) return cents;
      context.addIssue({ code: 'custom', message: 'is not an amount with two decimals' });
      return z.NEVER;
    }),
    '@Ccy': z.string().regex(/^[A-Z]{3}$/),
  })
  .transform((value): Money => ({ amountCents: value['#text'], currency: value['@Ccy'] }));
const direction = z.enum(['CRDT', 'DBIT']);
const nestedAmount = element({ Amt: amount.optional() }).optional();
const date = element({ Dt: text.optional(), DtTm: text.optional() }).optional();
const codeOrText = element({ Cd: text.optional(), Prtry: text.optional() });
/** Texts of any form: an odd one is not a reason to refuse the file. */
const texts = z.array(z.unknown()).optional();

const transaction = element({
  Refs: element({ EndToEndId: text.optional(), AcctSvcrRef: text.optional() }).optional(),
  Amt: amount.optional(),
  CdtDbtInd: direction.optional(),
  AmtDtls: element({ InstdAmt: nestedAmount, TxAmt: nestedAmount }).optional(),
  RltdPties: z.unknown().optional(),
  RmtInf: element({ Ustrd: texts, Strd: texts }).optional(),
  AddtlTxInf: z.unknown().optional(),
  RtrInf: element({ Rsn: codeOrText.optional(), AddtlInf: texts }).optional(),
});
const entry = element({
  Amt: amount,
  CdtDbtInd: direction,
  RvslInd: text.optional(),
  // A text up to version 001.06, a code or a proprietary text later.
  Sts: z.union([text, codeOrText]),
  BookgDt: date,
  ValDt: date,
  AcctSvcrRef: text.optional(),
  NtryDtls: z.array(z.unknown()).optional(),
  AddtlNtryInf: z.unknown().optional(),
});
// Lists are parsed one by one: zod collects every issue, which in a hostile file are more than it can hold.
const entryDetails = element({ TxDtls: z.array(z.unknown()).optional() });
const statement = element({
  Acct: element({
    Id: element({ IBAN: text.optional(), Othr: element({ Id: text.optional() }).optional() }).optional(),
  }).optional(),
  Ntry: z.array(z.unknown()).optional(),
});
const document = z.strictObject({
  Document: z.looseObject({ BkToCstmrStmt: z.object({ Stmt: z.array(z.unknown()).min(1) }) }),
});
type Entry = z.output<typeof entry>;
type Transaction = z.output<typeof transaction>;

type Money = { amountCents: number; currency: string };

/** One of the payments that an entry sums up. */
export type BankTransaction = {
  endToEndId: string | null;
  isCredit: boolean;
  /** In the currency of the account; null if the file has only the sum of the entry. */
  booked: Money | null;
  /** What the payer ordered, which may be in another currency. */
  ordered: Money | null;
  /** For a payment that was returned: the bank's reason, e.g. "AC04 Account closed"; may be empty. */
  returned: string | null;
  /** The bank's reference; null without one. */
  reference: string | null;
  /** The remittance information, the structured reference first. */
  remittance: string;
  payerName: string;
};

/** A booked entry of a statement, with the payments that the bank lists of it. */
export type BankEntry = Money & {
  /** The IBAN or number of the account; null when the file does not name it. */
  account: string | null;
  isCredit: boolean;
  /** Whether it takes back an earlier entry. */
  isReversal: boolean;
  bookedAt: Date;
  /** The booking day as the bank writes it, YYYY-MM-DD: in its own time zone. */
  day: string;
  reference: string | null;
  /** What the bank adds to the entry. */
  info: string;
  transactions: BankTransaction[];
};

/** Reads the booked entries of a camt.053 document of the versions 001.02 to 001.08. @throws AppError invalid_input */
export function readCamt053(xml: string): BankEntry[] {
  const entries = listStatements(xml).flatMap((one) => {
    const { Acct, Ntry = [] } = parsePart(statement, one, 'a statement');
    const account = toAccountNumber(Acct?.Id?.IBAN ?? Acct?.Id?.Othr?.Id ?? '') || null;
    return Ntry.map((content) => ({ account, content }));
  });
  return entries.flatMap(({ account, content: one }, at) => {
    const place = `entry ${at + 1}`;
    const found = parsePart(entry, one, place);
    if (!isBooked(found)) return [];
    const transactions = (found.NtryDtls ?? [])
      .flatMap((details) => parsePart(entryDetails, details, place).TxDtls ?? [])
      .map((details) => toTransaction(found, parsePart(transaction, details, place)));
    return [
      {
        ...found.Amt,
        account,
        isCredit: found.CdtDbtInd === 'CRDT',
        isReversal: found.RvslInd === 'true' || found.RvslInd === '1',
        ...bookingTime(found, place),
        reference: toReference(found.AcctSvcrRef),
        info: joinTexts(found.AddtlNtryInf),
        transactions,
      },
    ];
  });
}

/** Returns the statements of a document, not parsed yet. */
function listStatements(xml: string): unknown[] {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) {
    throw unreadableError('It has a document type declaration, which bank statements never have.');
  }
  const { BkToCstmrStmt, ...attributes } = parsePart(document, parseXml(xml), 'the root').Document;
  const names = Object.entries(attributes).filter(([name]) => name.startsWith('@xmlns'));
  if (!names.some(([, value]) => typeof value === 'string' && namespace.test(value))) {
    throw unreadableError('It is not a camt.053 document of the versions 001.02 to 001.08.');
  }
  return BkToCstmrStmt.Stmt;
}

/** @param place the part in an error message, e.g. "entry 3" */
function parsePart<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const { data, error, success } = schema.safeParse(value);
  if (success) return data;
  const path = (error.issues[0]?.path ?? []).filter((part) => typeof part === 'string' && part !== '#text').join('/');
  throw unreadableError(
    `It is not a camt.053 document: in ${place}, ${path || 'the content'} is missing or not valid.`,
  );
}

function parseXml(xml: string): unknown {
  try {
    // The second argument makes the parser check that the text is well-formed.
    const parsed: unknown = parser.parse(xml, true);
    return parsed;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    // The parser quotes the file in its message.
    throw unreadableError('It is not well-formed XML: it may be incomplete. Download it again.');
  }
}

function isBooked({ Sts }: Entry): boolean {
  return (typeof Sts === 'string' ? Sts : Sts.Cd) === 'BOOK';
}

function toTransaction(found: Entry, one: Transaction): BankTransaction {
  const { Refs, Amt, CdtDbtInd, AmtDtls, RmtInf, RltdPties, AddtlTxInf } = one;
  return {
    endToEndId: toReference(Refs?.EndToEndId),
    isCredit: (CdtDbtInd ?? found.CdtDbtInd) === 'CRDT',
    booked: Amt ?? AmtDtls?.TxAmt?.Amt ?? null,
    ordered: AmtDtls?.InstdAmt?.Amt ?? null,
    returned: describeReturn(one),
    reference: toReference(Refs?.AcctSvcrRef),
    remittance: [joinTexts(RmtInf?.Strd), joinTexts(RmtInf?.Ustrd), joinTexts(AddtlTxInf)].filter(Boolean).join(' '),
    payerName: findPayerName(RltdPties),
  };
}

/** What banks write where there is no reference. */
const noReference = /^(?:NOTPROVIDED|NOTAVAILABLE|NONREF|N\/?A|-*)$/i;

function toReference(value: string | undefined): string | null {
  const reference = value?.trim() ?? '';
  return noReference.test(reference) ? null : reference;
}

const namedParty = z.object({ Nm: text });
const debtor = z.looseObject({
  Dbtr: z.looseObject({ Nm: text.optional(), Pty: namedParty.optional().catch(undefined) }),
});

/** Finds the payer's name: in the party itself, or since version 001.08 in one part of it. */
function findPayerName(parties: unknown): string {
  const { data } = debtor.safeParse(parties);
  return (data?.Dbtr.Nm ?? data?.Dbtr.Pty?.Nm ?? '').replace(/\s+/g, ' ').trim();
}

/** Joins all texts of a part of the document; attributes are left out. */
function joinTexts(value: unknown): string {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim();
  if (typeof value !== 'object' || value === null) return '';
  const parts = Object.entries(value).filter(([name]) => !name.startsWith('@'));
  return parts
    .map(([, part]) => joinTexts(part))
    .filter(Boolean)
    .join(' ');
}

function bookingTime({ BookgDt, ValDt }: Entry, place: string): { bookedAt: Date; day: string } {
  const { Dt, DtTm } = BookgDt ?? ValDt ?? {};
  // A time without a zone is read as UTC, so that the result does not depend on the server.
  const time = DtTm && !/(Z|[+-]\d\d:\d\d)$/.test(DtTm) ? `${DtTm}Z` : DtTm;
  const day = (DtTm ?? Dt ?? '').slice(0, 10);
  const bookedAt = new Date(time ?? day);
  if (Number.isNaN(bookedAt.getTime()) || !isDay(day))
    throw unreadableError(`In ${place}, the booking date is missing or not valid.`);
  return { bookedAt, day };
}

function describeReturn({ RtrInf }: Transaction): string | null {
  if (!RtrInf) return null;
  const parts = [
    RtrInf.Rsn?.Cd ?? RtrInf.Rsn?.Prtry ?? '',
    ...(RtrInf.AddtlInf ?? []).filter((part) => typeof part === 'string'),
  ];
  return parts.join(' ').replace(/\s+/g, ' ').trim().slice(0, 200);
}
