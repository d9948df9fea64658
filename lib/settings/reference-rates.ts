import { and, desc, eq, gte, lte } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { referenceRates } from '@/db/schema/tax';
import { walletCurrency } from '@/lib/money';
import { dayMs } from '@/lib/platform/durations';

/** What a currency was worth on a day (YYYY-MM-DD). */
export type ReferenceRate = typeof referenceRates.$inferSelect;

/** The age at which a rate no longer stands for a day: the European Central Bank publishes none on days off. */
const maxAgeDays = 7;

/** Stores rates of the European Central Bank. A stored rate stays: documents were made with it. */
export async function storeReferenceRates(rates: readonly ReferenceRate[]): Promise<void> {
  if (rates.length > 0)
    await db()
      .insert(referenceRates)
      .values([...rates])
      .onConflictDoNothing();
}

/**
 * Finds the newest reference rate on or before a day, at most seven days old; null if there is none.
 * `convertToUsdCents(amount, rate.usdMicrosPerUnit)` converts to USD, `convertToUsdCents(cents, rate.unitMicrosPerUsd)`
 * from USD to hundredths of the currency, both rounded half up.
 * @param currency ISO 4217 code; USD is worth itself on every day
 * @param day YYYY-MM-DD
 */
export async function findReferenceRate(
  currency: string,
  day: string,
  tx: Executor = db(),
): Promise<ReferenceRate | null> {
  if (currency === walletCurrency) return { day, currency, usdMicrosPerUnit: 1_000_000, unitMicrosPerUsd: 1_000_000 };
  const oldest = new Date(Date.parse(day) - maxAgeDays * dayMs).toISOString().slice(0, 10);
  const [found] = await tx
    .select()
    .from(referenceRates)
    .where(and(eq(referenceRates.currency, currency), lte(referenceRates.day, day), gte(referenceRates.day, oldest)))
    .orderBy(desc(referenceRates.day))
    .limit(1);
  return found ?? null;
}

/** Countries by currency: those with the euro, and those whose currency the European Central Bank's file has. */
const countriesByCurrency: Readonly<Record<string, string>> = {
  // Bulgaria since 2026-01-01; Monaco by agreement.
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK',
  ...{ AUD: 'AU', BRL: 'BR', CAD: 'CA', CHF: 'CH LI', CNY: 'CN', CZK: 'CZ', DKK: 'DK', GBP: 'GB IM', HKD: 'HK' },
  ...{ HUF: 'HU', IDR: 'ID', ILS: 'IL', INR: 'IN', ISK: 'IS', JPY: 'JP', KRW: 'KR', MXN: 'MX', MYR: 'MY' },
  ...{ NOK: 'NO', NZD: 'NZ', PHP: 'PH', PLN: 'PL', RON: 'RO', SEK: 'SE', SGD: 'SG', THB: 'TH', TRY: 'TR' },
  ...{ USD: 'US', ZAR: 'ZA' },
};

/**
 * Returns the currency in which a country's tax is declared, as an ISO 4217 code (Article 230 of Directive 2006/112/EC);
 * null for a country without reference rates.
 * @param country ISO 3166-1 alpha-2 code
 */
export function accountingCurrency(country: string): string | null {
  const found = Object.entries(countriesByCurrency).find(([, countries]) => countries.split(' ').includes(country));
  return found?.[0] ?? null;
}
