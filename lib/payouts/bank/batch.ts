import anyAscii from 'any-ascii';
import { AppError } from '@/lib/errors';
import { currencyDecimals } from '@/lib/money';
import type { BankDetails } from '@/lib/payouts/methods/contract';
import { isDay } from '@/lib/platform/bank-statements/file';

/** Payouts that the payer's bank executes together, as written to a bank file. */
export type BankBatch = {
  /** Identifies the file at the bank, which refuses a second file with it: up to 33 letters, digits and hyphens. */
  messageId: string;
  createdAt: Date;
  /** The day on which the bank pays, as YYYY-MM-DD. */
  executionDate: string;
  payer: BankDetails;
  /** ISO 4217 code of a currency with two decimals. */
  currency: string;
  payouts: readonly BankPayout[];
};

export type BankPayout = {
  /** Identifies the payout on statements: up to 35 letters, digits and hyphens. */
  endToEndId: string;
  amountCents: number;
  details: BankDetails;
  /** The text on the payee's statement. */
  remittance: string;
};

const identifier = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
/** The largest amount of a SEPA credit transfer. */
const maxAmountCents = 99_999_999_999;

/**
 * Checks what the format and the banks require of a batch.
 * @throws AppError unprocessable
 */
export function checkBatch(batch: BankBatch): void {
  const { messageId, executionDate, currency, payouts } = batch;
  if (payouts.length === 0) throw unprocessable('The batch has no payouts. Choose at least one.');
  if (!identifier.test(messageId) || messageId.length > 33) {
    throw unprocessable(`The batch has an unusable reference: "${messageId}".`);
  }
  if (!isDay(executionDate)) throw unprocessable('The execution date is not a day in the form YYYY-MM-DD.');
  if (!/^[A-Z]{3}$/.test(currency) || currencyDecimals(currency) !== 2) {
    throw unprocessable(`Bank files cannot be written in ${currency}. Choose a currency with two decimals.`);
  }
  const seen = new Set<string>();
  for (const { endToEndId, amountCents } of payouts) {
    if (!identifier.test(endToEndId) || endToEndId.length > 35) {
      throw unprocessable(`A payout has an unusable reference: "${endToEndId}".`);
    }
    if (seen.has(endToEndId)) throw unprocessable(`The payout ${endToEndId} is in the batch twice.`);
    seen.add(endToEndId);
    if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > maxAmountCents) {
      throw unprocessable(`The payout ${endToEndId} has an amount that banks do not accept.`);
    }
  }
}

/** Replacements of ASCII characters outside the Latin set of SWIFT and SEPA; other ones become a period. */
const replacements: Record<string, string> = {
  '&': '+',
  ';': ',',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '\\': '/',
  '|': '/',
  _: '-',
  '~': '-',
  '`': "'",
  '"': "'",
};

/**
 * Writes a text in the characters that every bank accepts: Latin letters without accents, digits, the space and
 * / - ? : ( ) . , ' +. Other scripts are transliterated. Banks read "//" and a "/", "-" or ":" at the beginning as
 * codes, so these are removed.
 */
export function toBankText(text: string, maxLength: number): string {
  // any-ascii would write the name of an emoji.
  return anyAscii(text.normalize('NFC').replace(/\p{Emoji_Presentation}/gu, ' '))
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, (character) => replacements[character] ?? '.')
    .replace(/\/{2,}/g, '/')
    .replace(/ +/g, ' ')
    .replace(/^[ /:-]+/, '')
    .slice(0, maxLength)
    .replace(/[ /]+$/, '');
}

/**
 * Writes a text that a bank requires, such as a name.
 * @param what the text in an error message, e.g. "the account holder's name"
 * @throws AppError unprocessable when no character of the text remains
 */
export function toRequiredBankText(text: string, maxLength: number, what: string): string {
  const written = toBankText(text, maxLength);
  if (/[A-Za-z0-9]/.test(written)) return written;
  throw unprocessable(`Banks cannot read ${what} ("${text}"). Ask for it in Latin letters.`);
}

const unprocessable = (message: string) => new AppError('unprocessable', message);
