import { z } from 'zod';
import { currencyDecimals, toDecimalString } from '@/lib/money';

type PayPalMoney = { currency_code: string; value: string };

/**
 * Parses PayPal's `money` object into integer minor units. A value with more decimals than its currency has is
 * rejected: PayPal cannot charge it, and rounding would change the amount. HUF, JPY and TWD have no decimals
 * (https://developer.paypal.com/api/rest/reference/currency-codes/).
 */
export const payPalMoney = z
  .object({
    currency_code: z.string().regex(/^[A-Z]{3}$/),
    value: z
      .string()
      .max(32)
      .regex(/^(\d+(\.\d+)?|\.\d+)$/),
  })
  .transform(({ currency_code: currency, value }, context) => {
    const amountMinor = toMinorUnits(value, currencyDecimals(currency));
    if (amountMinor !== null) return { amountMinor, currency };
    context.addIssue({ code: 'custom', path: ['value'], message: 'The value is not an amount in its currency.' });
    return z.NEVER;
  });

/** Parses the older `currency` object of the Payouts API. */
export const payPalCurrency = z
  .object({ currency: z.string(), value: z.string() })
  .transform(({ currency, value }) => ({ currency_code: currency, value }))
  .pipe(payPalMoney);

/** Formats an amount as PayPal's `money` object. @param amountMinor integer minor units */
export function toPayPalMoney(amountMinor: number, currency: string): PayPalMoney {
  return { currency_code: currency, value: toDecimalString(amountMinor, currencyDecimals(currency)) };
}

function toMinorUnits(value: string, decimals: number): number | null {
  const [whole = '', fraction = ''] = value.split('.');
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return null;
  const amount = Number(whole + digits.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
