import type { Executor } from '@/db/client';
import type { AccountingTax } from '@/db/schema/invoices';
import { convertToUsdCents, walletCurrency } from '@/lib/money';
import { accountingCurrency, findReferenceRate, type ReferenceRate } from '@/lib/settings/reference-rates';

/**
 * Finds the rate by which a country's tax of a day is declared (Article 230 of Directive 2006/112/EC).
 * @param country ISO 3166-1 alpha-2 code
 * @param day YYYY-MM-DD
 * @returns null for a country that declares in USD, and without a rate
 */
export async function findAccountingRate(country: string, day: string, tx: Executor): Promise<ReferenceRate | null> {
  const currency = accountingCurrency(country);
  return currency === null || currency === walletCurrency ? null : findReferenceRate(currency, day, tx);
}

/** Converts tax by a rate; null without either. */
export const toAccountingTax = (rate: ReferenceRate | null, taxCents: number): AccountingTax | null =>
  rate === null || taxCents === 0
    ? null
    : {
        ...{ currency: rate.currency, unitMicrosPerUsd: rate.unitMicrosPerUsd, day: rate.day },
        taxMinor: convertToUsdCents(taxCents, rate.unitMicrosPerUsd),
      };
