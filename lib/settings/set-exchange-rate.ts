import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import { exchangeRates } from '../../db/schema/settings';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { newId } from '../ids';
import { lockRates } from './exchange-rate-lock';
import { rateText, type SetRateInput } from './exchange-rate-schemas';
import { getExchangeRates } from './exchange-rates';

const changed = z.object({ sites: z.number() });

/**
 * Sets what a currency is worth from now on and prices its sites anew in the same transaction; earlier rates stay, dated.
 * Orders and top-ups that were made keep the rate they were made at (decision 8).
 * @returns how many sites have another price in USD now
 */
export async function setExchangeRate(actor: Actor, { currency, rate }: SetRateInput): Promise<{ repriced: number }> {
  return db().transaction(async (tx) => {
    await letTakeLong(tx);
    await lockRates(tx);
    const before = (await getExchangeRates(tx)).get(currency);
    await tx.insert(exchangeRates).values({
      id: newId(),
      currency,
      usdMicrosPerUnit: rate,
      setBy: actor.userId,
      // Not the start of the transaction: it may have waited for another rate.
      effectiveAt: sql`clock_timestamp()`,
    });
    // Rounded as convertToUsdCents does: to the nearest cent, half up. What comes to nothing is not listed any more.
    const priced = sql`nullif(floor((public_price_cents::numeric * ${rate}::bigint + 500000) / 1000000)::bigint, 0)`;
    const [row] = await tx.execute(sql`
      with changed as (
        update sites set public_price_usd_cents = ${priced}
        where public_currency = ${currency} and public_price_cents is not null
          and public_price_usd_cents is distinct from ${priced}
        returning 1)
      select count(*)::int as sites from changed`);
    const repriced = changed.parse(row).sites;
    await recordAudit(tx, actor, {
      action: 'exchange_rate.set',
      details: `1 ${currency} is ${rateText(rate)} USD now${before ? `, was ${rateText(before)}` : ''}; ${repriced} sites have another price in USD.`,
      entityType: 'exchange_rate',
      entityId: currency,
      before: before ? { usdMicrosPerUnit: before } : undefined,
      after: { usdMicrosPerUnit: rate },
    });
    return { repriced };
  });
}
