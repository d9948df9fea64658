import { createHash } from 'node:crypto';
import { AppError } from '@/lib/errors';
import { type BankRow, readBankTable } from '@/lib/platform/bank-statements/bank-table';
import { type BankEntry, readCamt053 } from '@/lib/platform/bank-statements/camt053';
import { decodeStatement, toAccountNumber, unreadableError } from '@/lib/platform/bank-statements/file';
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

/** The credits of a statement, and how many rows are none: debits, and payments to sellers that came back. */
type Statement = { credits: BankCredit[]; ignored: number };

type FoundRow = Omit<BankRow, 'account'> & { account: string | null; isOwnReturn: boolean };

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
    : readBankTable(text).map((row) => ({ ...row, isOwnReturn: false }));
  const kept = rows.filter((row) => row.amountCents > 0 && !row.isOwnReturn && (row.isCredit || row.isReversal));
  const credits = kept.map((row): BankCredit => {
    const account = findAccount(row, accounts, chosen);
    return {
      account: getAccountId(account),
      bookedOn: row.day,
      amountMinor: row.amountCents,
      currency: row.currency ?? account.currency,
      isReversal: !row.isCredit,
      remittance: hideIbans(row.remittance).slice(0, maxTextLength),
      payerName: row.payerName.slice(0, maxNameLength),
      bankReference: row.reference,
      references: findReferences(row.remittance),
    };
  });
  return { credits, ignored: rows.length - credits.length };
}

/** Returns the IBAN of an account, or its number. */
const getAccountId = ({ iban, accountNumber }: BankAccount): string => toAccountNumber(iban || accountNumber);

/**
 * Finds the operator's account of a row. A statement of another account is not evidence of money that arrived.
 * @throws AppError invalid_input
 */
function findAccount(row: FoundRow, accounts: readonly BankAccount[], chosen: string | undefined): BankAccount {
  const isNamed = (id: string) => (one: BankAccount) =>
    [one.iban, one.accountNumber].some((number) => number !== '' && toAccountNumber(number) === toAccountNumber(id));
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
  const common = { account, isCredit, isReversal, day: entry.bookedAt.toISOString().slice(0, 10) };
  const isListed =
    transactions.every((one) => one.booked?.currency === currency && one.isCredit === isCredit) &&
    transactions.reduce((sum, one) => sum + (one.booked?.amountCents ?? 0), 0) === amountCents;
  if (isListed && transactions.length > 1) {
    return transactions.map((one) => ({
      ...common,
      amountCents: one.booked?.amountCents ?? 0,
      currency,
      reference: one.reference ?? entry.reference,
      remittance: joinTexts(one.remittance, one.endToEndId),
      payerName: one.payerName,
      isOwnReturn: one.returned !== null,
    }));
  }
  const [only] = transactions;
  return [
    {
      ...common,
      amountCents,
      currency,
      reference: entry.reference ?? only?.reference ?? null,
      remittance: joinTexts(...transactions.flatMap((one) => [one.remittance, one.endToEndId]), info),
      payerName: transactions.length === 1 ? (only?.payerName ?? '') : '',
      isOwnReturn: transactions.some((one) => one.returned !== null),
    },
  ];
}

const joinTexts = (...texts: (string | null)[]): string => [...new Set(texts.filter(Boolean))].join(' ');

/** The IBANs in a text; our references begin with RF. */
const ibans = /\b(?!RF)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;

/** Shortens the IBANs in a text: they are the payer's, and nobody needs them here. */
const hideIbans = (text: string): string => text.replace(ibans, (iban) => `${iban.slice(0, 2)}…${iban.slice(-2)}`);

const hash = (...parts: (string | number | boolean | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export type KeyedCredit = BankCredit & { key: string; contentKey: string; occurrence: number };

/**
 * Gives each credit of a file the keys by which it is found in another one.
 * - `key` has the bank's reference, if there is one, otherwise the content.
 * - `contentKey` has the account, the day, the amount and our reference, or without one the letters and digits of the
 *   text: a line of a camt.053 file and of a CSV file have the same.
 *
 * `occurrence` counts the credits of the file with the same content. Files contain whole days, so the second of two equal
 * credits of a day is the second in every file.
 */
export function addKeys(credits: readonly BankCredit[]): KeyedCredit[] {
  const counts = new Map<string, number>();
  const count = (key: string) => {
    const occurrence = (counts.get(key) ?? 0) + 1;
    counts.set(key, occurrence);
    return occurrence;
  };
  return credits.map((credit) => {
    const { account, bookedOn, amountMinor, currency, isReversal, bankReference, references, remittance } = credit;
    const facts = [account, bookedOn, amountMinor, currency, isReversal] as const;
    const words =
      references.length > 0 ? references.join(' ') : remittance.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
    const contentKey = hash(...facts, words);
    const occurrence = count(contentKey);
    if (bankReference === null)
      return { ...credit, contentKey, occurrence, key: hash('content', contentKey, occurrence) };
    const referenceKey = hash('reference', ...facts, bankReference);
    return { ...credit, contentKey, occurrence, key: hash(referenceKey, count(referenceKey)) };
  });
}
