import { XMLParser } from 'fast-xml-parser';
import Papa from 'papaparse';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { decodeText, decodeUtf8, findXmlEncoding } from '@/lib/platform/decode-text';
import { isDay } from './batch';

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

/** Parses an element with content; the parser returns '' for an empty one. */
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

/**
 * Reads the booked payments of a camt.053 document that have an end-to-end reference. Left out are payments without
 * one, and debits that return or reverse a payment of another sender.
 * @throws AppError invalid_input
 */
function readCamt053(xml: string): BankStatement {
  const entries = listStatements(xml).flatMap((one) => {
    const { Acct, Ntry = [] } = parsePart(statement, one, 'a statement');
    const account = (Acct?.Id?.IBAN ?? Acct?.Id?.Othr?.Id ?? '').replace(/[\s-]/g, '').toUpperCase() || null;
    return Ntry.map((content) => ({ account, content }));
  });
  const payments = entries.flatMap(({ account, content: one }, at) => {
    const place = `entry ${at + 1}`;
    const found = parsePart(entry, one, place);
    if (!isBooked(found)) return [];
    const transactions = (found.NtryDtls ?? []).flatMap(
      (details) => parsePart(entryDetails, details, place).TxDtls ?? [],
    );
    if (transactions.length === 0) return [null];
    return transactions.map((details) =>
      toRow(found, parsePart(transaction, details, place), transactions.length === 1, { account, place }),
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

function toRow(
  found: Entry,
  one: Transaction,
  isOnly: boolean,
  { account, place }: { account: string | null; place: string },
): StatementRow | null {
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
    account,
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

/** A payment on a bank statement that carries the reference of a payout. */
export type StatementRow = {
  endToEndId: string;
  /** Positive; the direction says whether it left or reached the account. */
  amountCents: number;
  currency: string;
  bookedAt: Date;
  direction: 'debit' | 'credit';
  /** Whether it returns a payment of the account; always a credit. */
  isReturn: boolean;
  /** The bank's reason of the return, e.g. "AC04 Account closed". */
  reason: string | null;
  /** The IBAN or number of the account that the statement is of; null when the file does not name it, as in CSV. */
  account: string | null;
};

/** The rows of a statement, and how many booked payments were left out because they cannot belong to a payout. */
type BankStatement = { rows: StatementRow[]; skipped: number };

/** The maximum size of a statement file. */
export const maxStatementBytes = 5 * 1024 * 1024;

/**
 * Reads a bank statement: ISO 20022 camt.053 (versions 001.02 to 001.08), or CSV with the columns
 * - `end_to_end_id` (or `reference`): the reference of the payout in the bank file
 * - `amount`: positive, with at most two decimals after a period or a comma, without thousands separators
 * - `currency`: ISO 4217 code
 * - `date`: the booking day as YYYY-MM-DD
 * - `status`: `executed` or `returned`
 * - `reason` (optional): why a payment was returned
 *
 * separated by commas, semicolons or tabs, in any order; other columns are ignored. Repeated rows are read once.
 * @throws AppError too_large above 5 MB, invalid_input for a file that cannot be read as a whole
 */
export function readStatement(file: Uint8Array): BankStatement {
  if (file.byteLength > maxStatementBytes) throw statementTooLargeError();
  const text = decodeFile(file);
  const { rows, skipped } = /^\s*</.test(text) ? readCamt053(text) : { rows: readCsv(text), skipped: 0 };
  return { rows: withoutRepeats(rows), skipped };
}

export function statementTooLargeError(): AppError {
  const message = 'The file is larger than 5 MB. Export the statement for fewer days.';
  return new AppError('too_large', message, { fields: { file: message } });
}

function withoutRepeats(rows: readonly StatementRow[]): StatementRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const csvRow = z.object({
  end_to_end_id: z.string().min(1, 'has no reference').max(35, 'has a reference of more than 35 characters'),
  amount: z.string().transform((text, context) => {
    // A comma before one or two digits can only be a decimal comma.
    const cents = toCents(text.replace(/^(\d+),(\d{1,2})$/, '$1.$2'));
    if (cents !== null && cents > 0 && !/[.,]\d{3}/.test(text)) return cents;
    context.addIssue({
      code: 'custom',
      message: `has the amount "${text.slice(0, 40)}"; write it as 1234.50, without a sign`,
    });
    return z.NEVER;
  }),
  currency: z
    .string()
    .transform((text) => text.toUpperCase())
    .refine((text) => /^[A-Z]{3}$/.test(text), 'has no currency such as EUR'),
  date: z.string().refine(isDay, 'has no date in the form YYYY-MM-DD'),
  status: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['executed', 'returned'], 'has a status other than "executed" and "returned"')),
  reason: z
    .string()
    .transform((text) => text.slice(0, 200))
    .optional(),
});

function readCsv(text: string): StatementRow[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/\r\n?/g, '\n'), {
    delimiter: findDelimiter(text),
    newline: '\n',
  });
  const unclosed = errors.find(({ type }) => type === 'Quotes');
  if (unclosed) throw unreadableError(`Row ${(unclosed.row ?? 0) + 1} has a quote (") that is not closed or doubled.`);
  const [header = [], ...records] = data;
  const names = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const columns = new Map(names.map((name, at) => [name === 'reference' ? 'end_to_end_id' : name, at]));
  const missing = ['end_to_end_id', 'amount', 'currency', 'date', 'status'].filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw unreadableError(
      `It is neither a camt.053 document nor a table with the columns end_to_end_id, amount, currency, date and status (missing: ${missing.join(', ')}).`,
    );
  }
  return records.flatMap((cells, at) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const cellsByName = Object.fromEntries([...columns].map(([name, column]) => [name, (cells[column] ?? '').trim()]));
    const { data: row, error } = csvRow.safeParse(cellsByName);
    if (!row) throw unreadableError(`Row ${at + 2} ${error.issues[0]?.message ?? 'is not valid'}.`);
    const isReturn = row.status === 'returned';
    return {
      endToEndId: row.end_to_end_id,
      amountCents: row.amount,
      currency: row.currency,
      bookedAt: new Date(row.date),
      direction: isReturn ? 'credit' : 'debit',
      isReturn,
      reason: (isReturn && row.reason) || null,
      account: null,
    };
  });
}

/** Returns the separator that is most frequent in the first line. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/**
 * Decodes a statement: UTF-8, UTF-16 with a byte order mark, the encoding of its XML declaration, or windows-1252, which
 * older banking software writes.
 * @throws AppError invalid_input for an empty file, an archive or a binary file
 */
function decodeFile(file: Uint8Array): string {
  if (file[0] === 0x50 && file[1] === 0x4b)
    throw unreadableError('It is a ZIP archive. Unpack it and upload its files.');
  // A byte order mark of UTF-16 is not valid UTF-8, and wins over the encoding.
  const text = decodeUtf8(file) ?? decodeText(file, findXmlEncoding(file) ?? 'windows-1252');
  if (text.trim() === '') throw unreadableError('It is empty.');
  if (text.includes('\0')) throw unreadableError('It contains no text.');
  return text;
}

/**
 * Converts a decimal number without a sign to cents.
 * @returns null when it is not such a number, has a third decimal other than 0, or exceeds a safe integer
 */
function toCents(text: string): number | null {
  const match = /^(\d{1,16})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) return null;
  const cents = Number(`${match[1] ?? ''}${(match[2] ?? '').padEnd(2, '0')}`);
  return Number.isSafeInteger(cents) ? cents : null;
}

/** @param reason what is wrong with the file; complete sentences */
function unreadableError(reason: string): AppError {
  const message = `The statement cannot be read. ${reason}`;
  return new AppError('invalid_input', message, { fields: { file: message } });
}
