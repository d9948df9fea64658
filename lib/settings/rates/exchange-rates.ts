import { desc, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { exchangeRates } from '@/db/schema/settings';
import type { RateCurrency } from '@/lib/money';

export type CurrentRate = { currency: RateCurrency; usdMicrosPerUnit: number; since: Date };

/** Lists the current rate of every currency, with its start. */
export async function listCurrentRates(executor: Executor = db()): Promise<CurrentRate[]> {
  return executor
    .selectDistinctOn([exchangeRates.currency], {
      currency: exchangeRates.currency,
      usdMicrosPerUnit: exchangeRates.usdMicrosPerUnit,
      since: exchangeRates.effectiveAt,
    })
    .from(exchangeRates)
    .orderBy(exchangeRates.currency, desc(exchangeRates.effectiveAt), desc(exchangeRates.id));
}

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
