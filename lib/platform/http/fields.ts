import { z } from 'zod';
import { parseIdCursor } from '@/lib/id-cursor';
import { walletCurrency } from '@/lib/money';
import { normalizeLine, trimProse } from '@/lib/network/visible-text';

/** Builds a query parameter for an integer in decimal digits; other spellings of a number are refused. */
export function integerParam(min: number, max: number) {
  const message = `Use a whole number from ${min} to ${max}.`;
  return z.preprocess(
    (input) => (typeof input === 'string' && /^\d{1,16}$/.test(input) ? Number(input) : input),
    z.int(message).min(min, message).max(max, message),
  );
}

/** Builds a query parameter that accepts one of several values. */
export const choiceParam = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, `Use one of ${choices.join(', ')}.`);

/** The query parameter for the number of items before a page. */
export const offsetParam = integerParam(0, 10_000_000).default(0);

/** Builds the fields for the limit and offset of paginated lists. */
export function pageQuery(defaultLimit: number, maxLimit: number) {
  return z.object({ limit: integerParam(1, maxLimit).default(defaultLimit), offset: offsetParam });
}

export type Page<T> = { rows: T[]; total: number };

/** The version on which an edit is based (optimistic locking), in the range of PostgreSQL's integer. */
export const versionField = z.int().min(0).max(2_147_483_647);

/** Builds the field for an id of an identity column as decimal digits: a part of a path, or a form field. */
export const idTextField = (message = 'Enter a number.') =>
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/, message)
    .transform(Number)
    .pipe(z.int().max(2_147_483_647));

/** Builds the field of a text of one line; characters that are not shown are removed. */
export const lineField = (max: number, tooLong = `Use at most ${max} characters.`, missing?: string) =>
  z.string(missing).overwrite(normalizeLine).max(max, tooLong);

/** Builds the field of a name or of another required text of one line. A text of which nothing is shown is missing. */
export const nameField = (missing: string, max: number, tooLong?: string) =>
  lineField(max, tooLong, missing).min(1, missing);

/** Builds the field of a name that can be blank. A text of which nothing is shown is refused. */
export const optionalNameField = (max: number, tooLong = `Use at most ${max} characters.`, missing = 'Enter a name.') =>
  z
    .string(missing)
    .refine((text) => text.trim() === '' || normalizeLine(text) !== '', missing)
    .overwrite(normalizeLine)
    .max(max, tooLong);

/** Builds the field of a required text of several lines. A text of which nothing is shown is missing. */
export const proseField = (
  missing: string,
  max: number,
  tooLong = `Use at most ${max.toLocaleString('en-US')} characters.`,
) => z.string(missing).overwrite(trimProse).min(1, missing).max(max, tooLong);

/** Builds a field for a required whole number within bounds. @param unit the unit named in the message */
export function wholeNumberField({ min, max }: { min: number; max: number }, unit: string) {
  const message = `Enter ${min} to ${max} ${unit}.`;
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}

/** The currency of a payment into a wallet; the default is the wallet's currency. */
export const currencyField = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.literal(walletCurrency, { error: `Wallets support ${walletCurrency} only.` }))
  .default(walletCurrency);

/** Builds the query parameter of endpoints for the X-Next-Cursor header of an earlier response. */
const cursorParam = (ids: RegExp) =>
  z
    .string()
    .transform((text, context) => {
      const cursor = parseIdCursor(text);
      if (cursor && (cursor.toward === 'last' || ids.test(cursor.id))) return cursor;
      context.addIssue({ code: 'custom', message: 'Use the X-Next-Cursor of an earlier response.' });
      return z.NEVER;
    })
    .optional();

/** The cursor of a list whose ids are texts. */
export const idCursorField = cursorParam(/^\w+$/);

/** The cursor of a list whose ids are numbers. The cursor of another list is refused. */
export const numberCursorField = cursorParam(/^\d{1,18}$/);
