import { z } from 'zod';
import { type BankEntry, type BankTransaction, readCamt053 } from '@/lib/platform/bank-statements/camt053';
import { decodeStatement, isDay, readTable, toCents, unreadableError } from '@/lib/platform/bank-statements/file';

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

/**
 * Reads the payouts of a bank statement: ISO 20022 camt.053 (lib/platform/bank-statements/camt053.ts), or CSV with the
 * columns
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
  const { text, isXml } = decodeStatement(file);
  if (!isXml) return { rows: withoutRepeats(readCsv(text)), skipped: 0 };
  const payments = readCamt053(text).flatMap((entry) =>
    entry.transactions.length === 0 ? [null] : entry.transactions.map((one) => toRow(entry, one)),
  );
  const rows = payments.filter((row) => row !== null);
  return { rows: withoutRepeats(rows), skipped: payments.length - rows.length };
}

/** @returns null for a payment without a reference, and for a debit that returns or reverses one of another sender */
function toRow(entry: BankEntry, one: BankTransaction): StatementRow | null {
  const { endToEndId, isCredit, returned } = one;
  const paid = amountOf(entry, one);
  if (endToEndId === null || !paid || paid.amountCents === 0) return null;
  const isReturn = returned !== null || entry.isReversal;
  if (isReturn && !isCredit) return null;
  const { bookedAt, account } = entry;
  const direction = isCredit ? 'credit' : 'debit';
  return { endToEndId, ...paid, bookedAt, direction, isReturn, reason: returned || null, account };
}

/** Returns the amount of a payment in the currency in which it was ordered. */
function amountOf(entry: BankEntry, { booked, ordered }: BankTransaction) {
  const { amountCents, currency } = entry;
  const inAccount = booked ?? (entry.transactions.length === 1 ? { amountCents, currency } : null);
  return inAccount && ordered?.currency === inAccount.currency ? inAccount : (ordered ?? inAccount);
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
  const [header = [], ...records] = readTable(text);
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
