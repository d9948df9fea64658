import { AppError } from '../errors';
import { formatMoney, walletCurrency } from '../money';

/** Least and most of one top-up in USD cents; the least is spec 001, section 9. */
const topupLimits = { minCents: 100, maxCents: 10_000_000 } as const;

/**
 * Checks the amount of a top-up.
 * @param cents as `parseMoney` read it; null for what is no number
 * @returns the same integer USD cents
 * @throws AppError invalid_input with the text of spec 001, section 5
 */
export function checkTopupAmount(cents: number | null): number {
  if (cents === null || !Number.isSafeInteger(cents) || cents < topupLimits.minCents) {
    throw refused('Please enter at least $1.00');
  }
  if (cents > topupLimits.maxCents) {
    throw refused(`Please enter at most ${formatMoney(topupLimits.maxCents, walletCurrency)}`);
  }
  return cents;
}

const refused = (message: string) => new AppError('invalid_input', message, { fields: { amount: message } });
