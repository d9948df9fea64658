import type { Currency } from '@/lib/money';

/** Exchange rates of the demo: millionths of a USD for one unit. */
export const ratesToUsd: Record<Currency, number> = {
  USD: 1_000_000,
  EUR: 1_085_000,
  GBP: 1_270_000,
  AUD: 655_000,
  CAD: 730_000,
  INR: 11_900,
};
