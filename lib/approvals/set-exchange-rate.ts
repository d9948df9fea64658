import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { exchangeRates } from '@/db/schema/settings';
import type { Transaction } from '@/db/transaction';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import type { RateCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { formatRate, getExchangeRates, lockRates, type SetRateInput } from '@/lib/settings/exchange-rates';
import { ApprovalRequired, requestApproval } from './request';

const changed = z.object({ sites: z.number() });

/**
 * Sets the rate of a currency and updates the prices of its sites in the same transaction. Earlier rates are kept with
 * their dates; existing orders and top-ups keep their rate. A change of more than 20 % needs the approval of a second
 * person, because a wrong rate affects all prices and payments in the currency.
 * @returns the number of sites whose price in USD changed; `isPending` when the rate waits for approval
 */
export async function setExchangeRate(actor: Actor, { currency, rate }: SetRateInput) {
  try {
    return await db().transaction(async (tx) => {
      await lockRates(tx);
      await requireSmallChange(tx, { currency, rate });
      return { ...(await applyExchangeRate(tx, actor, { currency, rate })), isPending: false };
    });
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    return { repriced: 0, isPending: true };
  }
}

/**
 * Compares with the current rate and with that of 24 hours ago, so that consecutive small changes add up.
 * @throws ApprovalRequired for a change of more than 20 %
 */
async function requireSmallChange(tx: Executor, { currency, rate }: SetRateInput): Promise<void> {
  const rows = z.array(z.object({ rate: z.coerce.number() })).parse(
    await tx.execute(sql`
      (select usd_micros_per_unit as rate from exchange_rates where currency = ${currency}
        order by effective_at desc, id desc limit 1)
      union all
      (select usd_micros_per_unit from exchange_rates
        where currency = ${currency} and effective_at <= now() - interval '24 hours'
        order by effective_at desc, id desc limit 1)`),
  );
  const isLarge = rows.some((before) => Math.abs(rate - before.rate) * 5 > before.rate);
  const [inForce] = rows;
  if (!isLarge || !inForce) return;
  throw new ApprovalRequired({
    kind: 'exchange_rate',
    subject: `rate:${currency}`,
    payload: { currency, rate },
    summary: `Set 1 ${currency} to ${formatRate(rate)} USD, from ${formatRate(inForce.rate)} USD.`,
  });
}

/**
 * Sets the rate, in the transaction of the call, of its approval or of the job.
 * @param sourceDay the day of the European Central Bank's file that has the rate
 */
export async function applyExchangeRate(
  tx: Transaction,
  actor: AnyActor,
  { currency, rate, sourceDay }: { currency: RateCurrency; rate: number; sourceDay?: string },
): Promise<{ repriced: number }> {
  await extendStatementTimeout(tx);
  await lockRates(tx);
  const before = (await getExchangeRates(tx)).get(currency);
  await tx.insert(exchangeRates).values({
    id: newId(),
    currency,
    usdMicrosPerUnit: rate,
    setBy: actor.userId,
    sourceDay,
    // Not the start of the transaction, which may have waited for another change.
    effectiveAt: sql`clock_timestamp()`,
  });
  // Rounded half up to the nearest cent, like convertToUsdCents. A site whose price is rounded to 0 is not listed.
  const priced = sql`nullif(floor((public_price_cents::numeric * ${rate}::bigint + 500000) / 1000000)::bigint, 0)`;
  const [row] = await tx.execute(sql`
      with changed as (
        update sites set public_price_usd_cents = ${priced}
        where public_currency = ${currency} and public_currency <> 'USD' and public_price_cents is not null
          and public_price_usd_cents is distinct from ${priced}
        returning 1)
      select count(*)::int as sites from changed`);
  const repriced = changed.parse(row).sites;
  await recordAudit(tx, actor, {
    action: 'exchange_rate.set',
    details: `1 ${currency} is now ${formatRate(rate)} USD${before ? `, previously ${formatRate(before)}` : ''}; ${repriced} sites have a new price in USD.${sourceDay ? ` Source: European Central Bank, ${sourceDay}.` : ''}`,
    entityType: 'exchange_rate',
    entityId: currency,
    before: before ? { usdMicrosPerUnit: before } : undefined,
    after: { usdMicrosPerUnit: rate },
  });
  return { repriced };
}
