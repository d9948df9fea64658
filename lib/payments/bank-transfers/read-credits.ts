import { createHash } from 'node:crypto';
import { AppError } from '@/lib/errors';
import { type BankRow, readBankTable } from '@/lib/platform/bank-statements/bank-table';
import { type BankEntry, readCamt053 } from '@/lib/platform/bank-statements/camt053';
import { decodeStatement, toAccountNumber, unreadableError } from '@/lib/platform/bank-statements/file';
import { dayMs } from '@/lib/platform/durations';
import type { BankAccount } from '@/lib/tax/contract';
import { findReferences } from './reference';

/** A credit of a statement, or a credit that the bank took back. */
export type BankCredit = {
  /** The operator's IBAN or account number. */
  account: string;
  /** The booking day as YYYY-MM-DD. */
  bookedOn: string;
  /** Positive, in minor units of `currency`. */
  amountMinor: number;
  currency: string;
  isReversal: boolean;
  remittance: string;
  payerName: string;
  bankReference: string | null;
  /** Our references in the texts of the bank. */
  references: string[];
};

/** The credits of a statement, and how many rows are none: debits, and returned payments to sellers. */
type Statement = { credits: BankCredit[]; ignored: number };

type FoundRow = BankRow & {
  /** The bank's reference; null without one. */
  reference: string | null;
  /** Whether it is a debit that was returned, such as a payment to a seller. */
  isOwnReturn: boolean;
};

/** In minor units: what SEPA can transfer. The books could not add up amounts that are much larger. */
const maxAmount = 99_999_999_999;
/** A bank books a weekend's transfers on the Monday after it. */
const maxDaysAhead = 7;
const maxTextLength = 1_000;
const maxNameLength = 200;

/**
 * Reads the credits of the operator's accounts: camt.053, or the list of bookings that a bank exports as CSV. A camt entry
 * that sums up several payments becomes one credit for each if the bank lists their amounts, otherwise one.
 * @param chosen the account of a CSV file that does not name it
 * @throws AppError too_large; invalid_input for a file that cannot be read as a whole, and for one of another account
 */
export function readCredits(file: Uint8Array, accounts: readonly BankAccount[], chosen: string | undefined): Statement {
  const { text, isXml } = decodeStatement(file);
  const rows = isXml
    ? readCamt053(text).flatMap(splitEntry)
    : // The ids of a table are others than those of camt.053: its lines are recognized by their content.
      readBankTable(text).map((row) => ({ ...row, reference: null, isOwnReturn: false }));
  const kept = rows.filter((row) => row.amountCents > 0 && !row.isOwnReturn && (row.isCredit || row.isReversal));
  const credits = kept.map((row): BankCredit => {
    const account = findAccount(row, accounts, chosen);
    requirePlausible(row, account);
    return {
      account: getAccountId(account),
      bookedOn: row.day,
      amountMinor: row.amountCents,
      currency: row.currency ?? account.currency,
      isReversal: !row.isCredit,
      remittance: hideIbans(row.remittance).slice(0, maxTextLength),
      payerName: row.payerName.slice(0, maxNameLength),
      bankReference: row.reference,
      references: findReferences(row.text),
    };
  });
  return { credits, ignored: rows.length - credits.length };
}

/**
 * Checks a credit before it is booked, which cannot be undone. A country with IBANs writes the day before the month.
 * @throws AppError invalid_input
 */
function requirePlausible({ day, isDayClear, amountCents }: FoundRow, { iban }: BankAccount): void {
  if (!isDayClear && iban === '')
    throw unreadableError(
      'Its days can be read with the day or with the month first. Export more days: one after the 12th shows the order.',
    );
  if (Date.parse(day) > Date.now() + maxDaysAhead * dayMs)
    throw unreadableError(`It has a booking on ${day}, which is in the future.`);
  if (amountCents > maxAmount) throw unreadableError(`It has an amount on ${day} that no bank transfers at once.`);
}

/** Returns the IBAN of an account, or its number. */
const getAccountId = ({ iban, accountNumber }: BankAccount): string => toAccountNumber(iban || accountNumber);

/**
 * Finds the operator's account of a row. A statement of another account is not evidence of money that arrived.
 * @throws AppError invalid_input
 */
function findAccount(row: FoundRow, accounts: readonly BankAccount[], chosen: string | undefined): BankAccount {
  const isNamed = (id: string) => (one: BankAccount) =>
    // Without the country, and without its check digits, as banks in Poland and Denmark write it.
    [one.iban, one.iban.slice(2), one.iban.slice(4), one.accountNumber].some(
      (number) => number !== '' && toAccountNumber(number) === toAccountNumber(id),
    );
  const named = row.account ?? chosen ?? null;
  if (named !== null) {
    const found = accounts.find(isNamed(named));
    if (found) return found;
    throw unreadableError(
      `It is of the account ${named.slice(0, 34)}, which is none of the operator’s bank accounts. Check the file, or add the account in Settings.`,
    );
  }
  const [only, ...others] = accounts.filter(({ currency }) => row.currency === null || row.currency === currency);
  if (only && others.length === 0) return only;
  const message = 'The file does not name its account. Choose the account that it is of.';
  throw new AppError('invalid_input', message, { fields: { account: message } });
}

/** Splits an entry by its payments, whose amounts add up to it. */
function splitEntry(entry: BankEntry): FoundRow[] {
  const { account, amountCents, currency, isCredit, isReversal, transactions, info } = entry;
  const common = { account, isCredit, day: entry.day, isDayClear: true };
  // A reversal that is a credit returns a payment of the account; one that is a debit takes back an earlier credit.
  const toFlags = (isBack: boolean) => ({ isReversal: isBack, isOwnReturn: isBack && isCredit });
  const isListed =
    transactions.every((one) => one.booked?.currency === currency && one.isCredit === isCredit) &&
    transactions.reduce((sum, one) => sum + (one.booked?.amountCents ?? 0), 0) === amountCents;
  if (isListed && transactions.length > 1) {
    return transactions.map((one) => ({
      ...common,
      ...toFlags(isReversal || one.returned !== null),
      amountCents: one.booked?.amountCents ?? 0,
      currency,
      reference: one.reference ?? entry.reference,
      ...toTexts(one.remittance, one.endToEndId),
      payerName: one.payerName,
    }));
  }
  const [only] = transactions;
  return [
    {
      ...common,
      amountCents,
      currency,
      reference: entry.reference ?? only?.reference ?? null,
      ...toTexts(...transactions.flatMap((one) => [one.remittance, one.endToEndId]), info),
      payerName: transactions.length === 1 ? (only?.payerName ?? '') : '',
      ...toFlags(isReversal || (only !== undefined && transactions.every((one) => one.returned !== null))),
    },
  ];
}

function toTexts(...texts: (string | null)[]) {
  const text = [...new Set(texts.filter(Boolean))].join(' ');
  return { remittance: text, text };
}

/** The IBANs in a text, and Polish ones without their country; our references begin with RF. */
const ibans = /\b(?!RF)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b|\b\d{2}(?: ?\d{4}){6}\b/g;

/** Shortens the IBANs in a text: they are the payer's, and are not needed here. */
const hideIbans = (text: string): string => text.replace(ibans, (iban) => `${iban.slice(0, 2)}…${iban.slice(-2)}`);

const hash = (...parts: (string | number | boolean | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const toLetters = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
/** Banks shorten names to different lengths. */
const comparedName = 20;

export type KeyedCredit = BankCredit & { key: string; contentKey: string };

/**
 * Gives each credit of a file the keys by which it is found in another one.
 * - `key` has the account, the day, the amount and the bank's reference, or without one our reference or the text. It
 *   counts the credits of the file for which these are the same: files contain whole days, so the second of two equal
 *   credits of a day is the second in every file.
 * - `contentKey` has our reference instead of the bank's, or without one the name of the payer, or the text: a line of a
 *   camt.053 file and of a CSV file have the same. Banks add words of their own to texts, but not to names.
 */
export function addKeys(credits: readonly BankCredit[]): KeyedCredit[] {
  const counts = new Map<string, number>();
  const withCount = (key: string) => {
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return hash(key, number);
  };
  return credits.map((credit) => {
    const { account, bookedOn, amountMinor, currency, isReversal, bankReference } = credit;
    const facts = [account, bookedOn, amountMinor, currency, isReversal] as const;
    const references = [...credit.references].sort().join(' ');
    const text = references || toLetters(credit.remittance);
    const payer = toLetters(credit.payerName).slice(0, comparedName);
    return {
      ...credit,
      key: withCount(
        bankReference === null ? hash('content', ...facts, text) : hash('reference', ...facts, bankReference),
      ),
      contentKey: hash(...facts, references || payer || text),
    };
  });
}
