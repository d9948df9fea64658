import { desc, sql } from 'drizzle-orm';
import { cache } from 'react';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
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

type CurrentRate = {
  currency: RateCurrency;
  usdMicrosPerUnit: number;
  since: Date;
  /** The day of the European Central Bank's file; null for a rate that staff entered. */
  sourceDay: string | null;
};

/** Lists the current rate of every currency, with its start: once for each page (React `cache`). */
export const listCurrentRates = cache(
  async (executor: Executor = db()): Promise<CurrentRate[]> =>
    executor
      .selectDistinctOn([exchangeRates.currency], {
        currency: exchangeRates.currency,
        usdMicrosPerUnit: exchangeRates.usdMicrosPerUnit,
        since: exchangeRates.effectiveAt,
        sourceDay: exchangeRates.sourceDay,
      })
      .from(exchangeRates)
      .orderBy(exchangeRates.currency, desc(exchangeRates.effectiveAt), desc(exchangeRates.id)),
);

/** Reads the current rates in millionths of a USD per unit. */
export async function getExchangeRates(executor: Executor = db()): Promise<Map<RateCurrency, number>> {
  const rates = await listCurrentRates(executor);
  return new Map(rates.map(({ currency, usdMicrosPerUnit }) => [currency, usdMicrosPerUnit]));
}

/** Reads the rates and locks them until the transaction ends, for pricing sites. Call it before locking any site. */
export async function lockAndGetExchangeRates(tx: Executor): Promise<Map<RateCurrency, number>> {
  await shareRates(tx);
  return getExchangeRates(tx);
}

const name = sql`hashtext('exchange rates')`;

/**
 * Takes a shared lock until the commit, so that no rate changes while a site is priced. It is taken before any row of a
 * site is locked, like `lockRates`.
 */
async function shareRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${name})`);
}

/** Takes an exclusive lock for a change of rates: waits for transactions that price sites, and blocks new ones. */
export async function lockRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${name})`);
}
