import type { Currency } from '../../lib/money';

/** Millionths of a USD for one unit, as an admin of the demo might have entered them. */
export const ratesToUsd: Record<Currency, number> = {
  USD: 1_000_000,
  EUR: 1_085_000,
  GBP: 1_270_000,
  AUD: 655_000,
  CAD: 730_000,
  INR: 11_900,
};
