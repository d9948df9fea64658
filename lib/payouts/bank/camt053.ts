import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { BankStatement, StatementRow } from './read-statement';
import { toCents, unreadableError } from './statement-text';

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.0[2-8]$/;
const repeated = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'AddtlInf']);

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

/** An element with content; the parser returns '' for an empty one. */
const element = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? {} : value), z.object(shape));
/** A text, which the parser wraps when its element has attributes. */
const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((value) => value['#text'])]);
const amount = z.object({
  '#text': z.string().transform((value, context) => {
    const cents = toCents(value);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: 'is not an amount with two decimals' });
    return z.NEVER;
  }),
  '@Ccy': z.string().regex(/^[A-Z]{3}$/),
});
const direction = z.enum(['CRDT', 'DBIT']);
const nestedAmount = element({ Amt: amount.optional() }).optional();
const date = element({ Dt: text.optional(), DtTm: text.optional() }).optional();
const codeOrText = element({ Cd: text.optional(), Prtry: text.optional() });

const transaction = element({
  Refs: element({ EndToEndId: text.optional() }).optional(),
  Amt: amount.optional(),
  CdtDbtInd: direction.optional(),
  AmtDtls: element({ InstdAmt: nestedAmount, TxAmt: nestedAmount }).optional(),
  RtrInf: element({ Rsn: codeOrText.optional(), AddtlInf: z.array(z.unknown()).optional() }).optional(),
});
const entry = element({
  Amt: amount,
  CdtDbtInd: direction,
  RvslInd: text.optional(),
  // A text up to version 001.06, a code or a proprietary text later.
  Sts: z.union([text, codeOrText]),
  BookgDt: date,
  ValDt: date,
  NtryDtls: z.array(z.unknown()).optional(),
});
// Lists are parsed one by one: zod collects every issue, which in a hostile file are more than it can hold.
const entryDetails = element({ TxDtls: z.array(z.unknown()).optional() });
const statement = element({ Ntry: z.array(z.unknown()).optional() });
const document = z.strictObject({
  Document: z.looseObject({ BkToCstmrStmt: z.object({ Stmt: z.array(z.unknown()).min(1) }) }),
});
type Entry = z.output<typeof entry>;
type Transaction = z.output<typeof transaction>;

/**
 * Reads the booked payments of a camt.053 document that have an end-to-end reference. Left out are payments without
 * one, and debits that return or reverse a payment of another sender.
 * @throws AppError invalid_input
 */
export function readCamt053(xml: string): BankStatement {
  const entries = listStatements(xml).flatMap((one) => parsePart(statement, one, 'a statement').Ntry ?? []);
  const payments = entries.flatMap((one, at) => {
    const place = `entry ${at + 1}`;
    const found = parsePart(entry, one, place);
    if (!isBooked(found)) return [];
    const transactions = (found.NtryDtls ?? []).flatMap(
      (details) => parsePart(entryDetails, details, place).TxDtls ?? [],
    );
    if (transactions.length === 0) return [null];
    return transactions.map((details) =>
      toRow(found, parsePart(transaction, details, place), transactions.length === 1, place),
    );
  });
  const rows = payments.filter((row) => row !== null);
  return { rows, skipped: payments.length - rows.length };
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

function toRow(found: Entry, one: Transaction, isOnly: boolean, place: string): StatementRow | null {
  const endToEndId = one.Refs?.EndToEndId?.trim();
  const paid = amountOf(found, one, isOnly);
  if (!endToEndId || endToEndId === 'NOTPROVIDED' || !paid || paid['#text'] === 0) return null;
  const isCredit = (one.CdtDbtInd ?? found.CdtDbtInd) === 'CRDT';
  const isReturn = one.RtrInf !== undefined || found.RvslInd === 'true' || found.RvslInd === '1';
  if (isReturn && !isCredit) return null;
  return {
    endToEndId,
    amountCents: paid['#text'],
    currency: paid['@Ccy'],
    bookedAt: bookingTime(found, place),
    direction: isCredit ? 'credit' : 'debit',
    isReturn,
    reason: describeReturn(one),
  };
}

/**
 * Returns the amount of a payment in the currency in which it was ordered: `Amt` and `TxAmt` are in the currency of the
 * account, `InstdAmt` is what the payer ordered.
 */
function amountOf(found: Entry, { Amt, AmtDtls }: Transaction, isOnly: boolean) {
  const booked = Amt ?? AmtDtls?.TxAmt?.Amt ?? (isOnly ? found.Amt : undefined);
  const ordered = AmtDtls?.InstdAmt?.Amt;
  return booked && ordered?.['@Ccy'] === booked['@Ccy'] ? booked : (ordered ?? booked);
}

function bookingTime({ BookgDt, ValDt }: Entry, place: string): Date {
  const { Dt, DtTm } = BookgDt ?? ValDt ?? {};
  // A time without a zone is read as UTC, so that the result does not depend on the server.
  const time = DtTm && !/(Z|[+-]\d\d:\d\d)$/.test(DtTm) ? `${DtTm}Z` : DtTm;
  const day = Dt?.replace(/(Z|[+-]\d\d:\d\d)$/, '');
  const booked = new Date(time ?? day ?? '');
  if (Number.isNaN(booked.getTime())) throw unreadableError(`In ${place}, the booking date is missing or not valid.`);
  return booked;
}

function describeReturn({ RtrInf }: Transaction): string | null {
  if (!RtrInf) return null;
  const parts = [
    RtrInf.Rsn?.Cd ?? RtrInf.Rsn?.Prtry ?? '',
    ...(RtrInf.AddtlInf ?? []).filter((part) => typeof part === 'string'),
  ];
  return parts.join(' ').replace(/\s+/g, ' ').trim().slice(0, 200) || null;
}
