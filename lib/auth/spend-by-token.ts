import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';

/** The clock and not the start of the transaction: an order that waited past midnight counts for the new day. */
const today = sql`(clock_timestamp() at time zone 'UTC')::date`;
/** What the token spent today, in USD cents; for a query that selects from `api_tokens`. */
export const spentTodayCents = sql<number>`(case when ${apiTokens.spentOn} >= ${today} then ${apiTokens.spentCents} else 0 end)`;

/**
 * Counts a payment against the daily limit of the API token that makes it. Call it in the transaction of the payment:
 * the row of the token stays locked until the end, so that concurrent orders never exceed the limit together, and an
 * order that fails is not counted. The day is that of UTC. A refund does not lower what was spent, because otherwise a
 * leaked token could order, cancel and order again without end. Does nothing for an actor without a token.
 * @param amountCents what is paid, in USD cents
 * @throws AppError forbidden beyond the limit, unauthenticated when the token was revoked or expired in the meantime
 */
export async function spendByToken(tx: Executor, { token }: Actor, amountCents: number): Promise<void> {
  if (!token) return;
  const isUsable = and(
    eq(apiTokens.id, token.id),
    isNull(apiTokens.revokedAt),
    sql`coalesce(${apiTokens.expiresAt} > clock_timestamp(), true)`,
  );
  const counted = await tx
    .update(apiTokens)
    .set({
      spentOn: sql`greatest(${apiTokens.spentOn}, ${today})`,
      spentCents: sql`${spentTodayCents} + ${amountCents}::bigint`,
    })
    .where(
      and(isUsable, sql`coalesce(${spentTodayCents} + ${amountCents}::bigint <= ${apiTokens.dailyLimitCents}, true)`),
    )
    .returning({ id: apiTokens.id });
  if (counted.length > 0) return;
  const [row] = await tx
    .select({ limitCents: apiTokens.dailyLimitCents, spentCents: spentTodayCents })
    .from(apiTokens)
    .where(isUsable);
  if (!row) throw new AppError('unauthenticated', 'This API token was revoked or has expired. Create a new one.');
  const limitCents = row.limitCents ?? 0;
  const leftCents = Math.max(limitCents - Number(row.spentCents), 0);
  throw new AppError(
    'forbidden',
    `This costs ${formatUsd(amountCents)}, and the API token “${token.name}” can spend ${formatUsd(leftCents)} more today (limit ${formatUsd(limitCents)}, until midnight UTC). Nothing was paid.`,
  );
}
