import { desc } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { exchangeRates } from '../../db/schema/settings';
import type { RateCurrency } from '../money';

/** The rate in force of every currency that has one: millionths of a USD for one unit (decision 8). */
export async function getExchangeRates(executor: Executor = db()): Promise<Map<RateCurrency, number>> {
  const rows = await executor
    .selectDistinctOn([exchangeRates.currency], {
      currency: exchangeRates.currency,
      usdMicrosPerUnit: exchangeRates.usdMicrosPerUnit,
    })
    .from(exchangeRates)
    .orderBy(exchangeRates.currency, desc(exchangeRates.effectiveAt), desc(exchangeRates.id));
  return new Map(rows.map((row) => [row.currency, row.usdMicrosPerUnit]));
}
