import type { Executor } from '@/db/client';
import { commissionRules } from '@/db/schema/sites';
import { lockAndGetExchangeRates } from '@/lib/settings/exchange-rates';
import type { Pricing } from './price-by-rule';

/**
 * Reads the exchange rates and the commission rules for pricing sites, and locks the rates until the transaction ends.
 * Call it before locking any site.
 */
export async function lockPricing(tx: Executor): Promise<Pricing> {
  const rates = await lockAndGetExchangeRates(tx);
  return { rates, rules: await tx.select().from(commissionRules) };
}
