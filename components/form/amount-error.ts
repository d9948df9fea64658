import { parseMoney } from '@/lib/money';

/** The error for an amount in the wrong format; undefined for a valid one. */
export function getAmountError(typed: string): string | undefined {
  if (typed.trim() === '' || parseMoney(typed) !== null) return undefined;
  if (/^-?[\d.,\s]*,[\d.,\s]*$/.test(typed.trim())) return 'Enter the amount without a comma, e.g. 1250.50.';
  return /^-?\d*\.?\d*$/.test(typed.trim()) && /\d/.test(typed)
    ? 'This amount is too large.'
    : 'Enter an amount in digits, e.g. 12.50.';
}
