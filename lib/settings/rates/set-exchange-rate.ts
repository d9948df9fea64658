import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { exchangeRates } from '@/db/schema/settings';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '../../access/actor';
import { ApprovalRequired, requestApproval } from '../../approvals/request';
import { newId } from '../../ids';
import type { RateCurrency } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { getExchangeRates, lockRates } from './exchange-rates';
import { rateText, type SetRateInput } from './schemas';

const changed = z.object({ sites: z.number() });

/**
 * Sets what a currency is worth from now on and prices its sites anew in the same transaction; earlier rates stay, dated.
 * Orders and top-ups that were made keep the rate they were made at (decision 8).
 * A move of more than 20 % waits for a second person: a wrong rate prices every site and payment in that currency.
 * @returns how many sites have another price in USD now; `isPending` where the rate waits for approval
 */
export async function setExchangeRate(
  actor: Actor,
  { currency, rate }: SetRateInput,
): Promise<{ repriced: number; isPending: boolean }> {
  try {
    return await db().transaction(async (tx) => {
      await lockRates(tx);
      await requireSmallMove(tx, { currency, rate });
      return { ...(await applyExchangeRate(tx, actor, { currency, rate })), isPending: false };
    });
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    return { repriced: 0, isPending: true };
  }
}

/**
 * Compares with the rate in force and with the one of 24 hours ago, so that several small moves in a row count together.
 * @throws ApprovalRequired for a move of more than 20 %
 */
async function requireSmallMove(tx: Executor, { currency, rate }: SetRateInput): Promise<void> {
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
    summary: `Set 1 ${currency} to ${rateText(rate)} USD, from ${rateText(inForce.rate)} USD.`,
  });
}

/** Sets the rate, in the transaction of the call or of its approval. */
export async function applyExchangeRate(
  tx: Transaction,
  actor: Actor,
  { currency, rate }: { currency: RateCurrency; rate: number },
): Promise<{ repriced: number }> {
  await extendStatementTimeout(tx);
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
}
