import { inArray, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { rateLimits } from '../../db/schema/limits';
import { AppError } from '../errors';
import { type LimitName, limits } from './limits';

/** Who is limited: the account's e-mail or id, and the network address. Empty ones are not counted. */
export type Limited = { account: string; address: string };

function keysOf(name: LimitName, { account, address }: Limited) {
  const rules = limits[name];
  return [
    { key: `${name}:account:${account.toLowerCase()}`, on: account !== '', ...rules.account },
    { key: `${name}:address:${address}`, on: address !== '', ...rules.address },
  ].filter((rule) => rule.on);
}

/**
 * Counts one try, in PostgreSQL so that all instances share the count, and refuses it beyond the limit.
 * @throws AppError rate_limited with the seconds until the window ends
 */
export async function consumeLimit(name: LimitName, limited: Limited): Promise<void> {
  for (const { key, max, seconds } of keysOf(name, limited)) {
    const [row] = await db()
      .insert(rateLimits)
      .values({ key, count: 1, resetsAt: sql`now() + make_interval(secs => ${seconds})` })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`case when ${rateLimits.resetsAt} <= now() then 1 else ${rateLimits.count} + 1 end`,
          resetsAt: sql`case when ${rateLimits.resetsAt} <= now() then excluded.resets_at else ${rateLimits.resetsAt} end`,
        },
      })
      .returning({
        count: rateLimits.count,
        secondsLeft: sql<number>`ceil(extract(epoch from ${rateLimits.resetsAt} - now()))::int`,
      });
    if (row && row.count > max) throw tooOften(row.secondsLeft);
  }
}

/**
 * Takes a try back that turned out to be right: the account's count is cleared, the address's goes down by the one
 * that `consumeLimit` counted, so that an office full of people who sign in well is not locked out.
 */
export async function forgiveLimit(name: LimitName, { account, address }: Limited): Promise<void> {
  const keys = (limited: Limited) => keysOf(name, limited).map((rule) => rule.key);
  await db()
    .delete(rateLimits)
    .where(inArray(rateLimits.key, keys({ account, address: '' })));
  await db()
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(inArray(rateLimits.key, keys({ account: '', address })));
}

function tooOften(seconds: number): AppError {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes > 1 ? `${minutes} minutes` : 'a minute';
  return new AppError('rate_limited', `Too many attempts. Please wait ${wait} and try again.`, {
    retryAfterSeconds: seconds,
  });
}
