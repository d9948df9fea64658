import { z } from 'zod';
import { walletCurrency } from '../../money';

/** limit and offset of the contract's lists. */
export function pageQuery(defaultLimit: number, maxLimit: number) {
  return z.object({
    limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
    offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  });
}

export type Page<T> = { rows: T[]; total: number };

/** The version an edit started from, which a stale one is refused by; as the integer that PostgreSQL keeps. */
export const versionField = z.int().min(0).max(2_147_483_647);

/** A whole number of a form field, within bounds; an empty field is no number. @param unit as the message names it */
export function wholeNumberField({ min, max }: { min: number; max: number }, unit: string) {
  const message = `Enter ${min} to ${max} ${unit}.`;
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}

/** The currency of money that goes into a wallet; the wallets' own by default. */
export const currencyField = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.literal(walletCurrency, { error: `Wallets hold ${walletCurrency} only.` }))
  .default(walletCurrency);
