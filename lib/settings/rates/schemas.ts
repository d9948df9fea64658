import { z } from 'zod';
import { type RateCurrency, rateCurrencies, walletCurrency } from '@/lib/money';

/** The currencies whose rate an admin can set: all except the wallet's currency. */
export const pricedCurrencies = rateCurrencies.filter(
  (currency): currency is Exclude<RateCurrency, 'USD'> => currency !== walletCurrency,
);

const rateMessage = 'Enter what one unit is worth in USD, e.g. 1.085 or 0.1397.';

/** A new rate: `rate` is in USD per unit with up to six decimals, parsed to millionths. */
export const setRateInput = z.object({
  currency: z.enum(pricedCurrencies, 'Choose a currency.'),
  rate: z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, rateMessage)
    .transform((text) => {
      const [whole = '0', decimals = ''] = text.split('.');
      return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'));
    })
    .refine((micros) => micros > 0, rateMessage),
});
export type SetRateInput = z.output<typeof setRateInput>;

/** Formats millionths of a USD with at least two decimals and without further trailing zeros. */
export function formatRate(usdMicrosPerUnit: number): string {
  const whole = Math.floor(usdMicrosPerUnit / 1_000_000);
  const decimals = String(usdMicrosPerUnit % 1_000_000).padStart(6, '0');
  return `${whole}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, '')}`;
}
