import { inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { env } from '../../env';
import { AppError } from '../../errors';
import { networkOf } from '../../network/network-of';
import { type LimitName, type LimitRule, type LimitRules, limits } from './limits';

/** Who is limited: the account's e-mail or id, and the network address. Of nobody, or from nowhere, is not counted. */
export type Limited = { account: string; address: string };

type Counted = { key: string; by: keyof LimitRules; rule: LimitRule };

/** From the narrowest to the widest: what the first one refuses does not use up the others. */
function countedBy(name: LimitName, limited: Limited): Counted[] {
  const rules: LimitRules = limits[name];
  const account = limited.account.toLowerCase();
  const address = networkOf(limited.address);
  const all: { by: keyof LimitRules; key: string; on: boolean }[] = [
    // Where the address is not known, all of them are one.
    { by: 'pair', key: `${name}:pair:${account}|${address}`, on: account !== '' },
    { by: 'account', key: `${name}:account:${account}`, on: account !== '' },
    { by: 'address', key: `${name}:address:${address}`, on: address !== '' },
  ];
  return all.flatMap(({ by, key, on }) => {
    const rule = rules[by];
    return on && rule ? [{ by, key, rule }] : [];
  });
}

/**
 * Counts one try, in PostgreSQL so that all instances share the count, and refuses it beyond the limit.
 * @param isSpared asked when an account is beyond its own limit: does the limit not hold for this caller?
 * @throws AppError rate_limited with the seconds until the window ends
 */
export async function consumeLimit(
  name: LimitName,
  limited: Limited,
  isSpared: () => Promise<boolean> = async () => false,
): Promise<void> {
  for (const { key, by, rule } of countedBy(name, limited)) {
    const [row] = await db()
      .insert(rateLimits)
      .values({ key, count: 1, resetsAt: sql`now() + make_interval(secs => ${rule.seconds})` })
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
    const isBeyond = row !== undefined && row.count > rule.max;
    if (isBeyond && !(by === 'account' && (await isSpared()))) throw tooOften(name, row.secondsLeft);
  }
}

/**
 * Takes a try back that turned out to be right: the account's counts are cleared, the address's goes down by the one
 * that `consumeLimit` counted, so that an office full of people who sign in well is not locked out.
 */
export async function forgiveLimit(name: LimitName, limited: Limited): Promise<void> {
  const counted = countedBy(name, limited);
  const keysOf = (isAddress: boolean) =>
    counted.filter(({ by }) => (by === 'address') === isAddress).map(({ key }) => key);
  await db()
    .delete(rateLimits)
    .where(inArray(rateLimits.key, keysOf(false)));
  await db()
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(inArray(rateLimits.key, keysOf(true)));
}

/**
 * Takes back the one try that `consumeLimit` counted, and no other: what came in between stays counted. For a try that
 * was right so far but does not prove enough to forgive the earlier ones.
 */
export async function takeTryBack(name: LimitName, limited: Limited): Promise<void> {
  const keys = countedBy(name, limited).map(({ key }) => key);
  await db()
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(inArray(rateLimits.key, keys));
}

function tooOften(name: LimitName, seconds: number): AppError {
  const what = name === 'import' ? 'Too many imports in one day.' : 'Too many attempts.';
  return new AppError('rate_limited', `${what} Please wait ${inWords(seconds)} and try again.`, {
    retryAfterSeconds: seconds,
  });
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes > 1 ? `${minutes} minutes` : 'a minute';
}

/** What is left of a person's changes, and since when it counts. */
type Bucket = { left: number; at: number };

// On globalThis, as pages and handlers are bundled apart.
const holder: typeof globalThis & { linkmarketChanges?: Map<string, Bucket> } = globalThis;

/** Full buckets are forgotten when there are more; a person who changes nothing for a minute has a full one. */
const maxBuckets = 10_000;

/**
 * Counts one change of a signed-in person against CHANGES_PER_MINUTE: a token bucket that holds a minute's changes and
 * fills evenly. Each instance counts in memory, because a row for each change would cost more than many changes do;
 * several instances together allow as many times more.
 * @throws AppError rate_limited
 */
export function countChange(
  userId: string,
  { perMinute = env().CHANGES_PER_MINUTE, now = performance.now() }: { perMinute?: number; now?: number } = {},
): void {
  holder.linkmarketChanges ??= new Map();
  const buckets = holder.linkmarketChanges;
  const left = leftIn(buckets.get(userId), now, perMinute);
  if (left < 1) {
    const seconds = Math.ceil(((1 - left) * 60) / perMinute);
    throw new AppError(
      'rate_limited',
      `You have made more than ${perMinute} changes in a minute. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
      { retryAfterSeconds: seconds },
    );
  }
  buckets.set(userId, { left: left - 1, at: now });
  if (buckets.size <= maxBuckets) return;
  for (const [id, bucket] of buckets) if (leftIn(bucket, now, perMinute) === perMinute) buckets.delete(id);
}

const leftIn = (bucket: Bucket | undefined, now: number, perMinute: number) =>
  bucket ? Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000) : perMinute;
