import Papa from 'papaparse';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { isDay } from './batch';
import { readCamt053 } from './camt053';
import { decodeFile, toCents, unreadableError } from './statement-text';

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
};

/** The rows of a statement, and how many booked payments were left out because they cannot belong to a payout. */
export type BankStatement = { rows: StatementRow[]; skipped: number };

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
    };
  });
}

/** Returns the separator that is most frequent in the first line. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
