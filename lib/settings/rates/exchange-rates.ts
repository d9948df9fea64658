import { desc, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
import type { RateCurrency } from '../../money';

export type RateInForce = { currency: RateCurrency; usdMicrosPerUnit: number; since: Date };

/** The rate in force of every currency that has one, by currency, and since when (decision 8). */
export async function listRatesInForce(executor: Executor = db()): Promise<RateInForce[]> {
  return executor
    .selectDistinctOn([exchangeRates.currency], {
      currency: exchangeRates.currency,
      usdMicrosPerUnit: exchangeRates.usdMicrosPerUnit,
      since: exchangeRates.effectiveAt,
    })
    .from(exchangeRates)
    .orderBy(exchangeRates.currency, desc(exchangeRates.effectiveAt), desc(exchangeRates.id));
}

/** The rates in force: millionths of a USD for one unit (decision 8). */
export async function getExchangeRates(executor: Executor = db()): Promise<Map<RateCurrency, number>> {
  const rates = await listRatesInForce(executor);
  return new Map(rates.map(({ currency, usdMicrosPerUnit }) => [currency, usdMicrosPerUnit]));
}

/** The rates to price sites by; they stay in force until the transaction ends. Call it before locking any site. */
export async function ratesToPriceBy(tx: Executor): Promise<Map<RateCurrency, number>> {
  await shareRates(tx);
  return getExchangeRates(tx);
}

const name = sql`hashtext('exchange rates')`;

/**
 * Whoever prices a site by a rate holds this until their commit, so that no new rate slips in between; taken before any
 * row of a site is locked, as `lockRates` is.
 */
async function shareRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${name})`);
}

/** Whoever sets a rate waits for those who price by the old one, and keeps new ones waiting. */
export async function lockRates(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${name})`);
}
