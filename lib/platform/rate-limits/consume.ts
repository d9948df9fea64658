import { inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { getNetworkPrefix } from '@/lib/network/addresses';
import { type LimitName, type LimitRule, type LimitRules, limits } from './limits';

/** The account (email or id) and network address to limit. Empty values are not counted. */
export type LimitSubject = { account: string; address: string };

type LimitCounter = { key: string; by: keyof LimitRules; rule: LimitRule };

/** Lists counters from narrow to wide: an attempt that the first rejects does not count against the others. */
function getCounters(name: LimitName, limited: LimitSubject): LimitCounter[] {
  const rules: LimitRules = limits[name];
  const account = limited.account.toLowerCase();
  const address = getNetworkPrefix(limited.address);
  const all: { by: keyof LimitRules; key: string; on: boolean }[] = [
    // Unknown addresses share one count.
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
 * Counts an attempt in PostgreSQL, so that all instances share the count, and rejects it beyond the limit.
 * @param isExempt called when an account exceeds its limit: whether the caller is exempt
 * @param amount how much the attempt counts, for limits in another unit
 * @throws AppError rate_limited with the seconds until the window ends
 */
export async function consumeLimit(
  name: LimitName,
  limited: LimitSubject,
  { isExempt = async () => false, amount = 1 }: { isExempt?: () => Promise<boolean>; amount?: number } = {},
): Promise<void> {
  for (const { by, ...counter } of getCounters(name, limited)) {
    const { left, secondsLeft } = await countAttempt(counter, amount);
    if (left < 0 && !(by === 'account' && (await isExempt()))) throw createRateLimitError(name, secondsLeft);
  }
}

/**
 * Counts a request against the limit of an account, as `consumeLimit` does, and returns what is left instead of
 * throwing, for the headers that report it.
 */
export function consumeQuota(name: 'token', account: string): Promise<Quota> {
  const rule = limits[name].account;
  return countAttempt({ key: `${name}:account:${account}`, rule }, 1);
}

type Quota = {
  rule: LimitRule;
  /** The attempts left in the window; negative beyond the limit. */
  left: number;
  /** The seconds until the window ends. */
  secondsLeft: number;
};

async function countAttempt({ key, rule }: Pick<LimitCounter, 'key' | 'rule'>, amount: number): Promise<Quota> {
  const [row] = await db()
    .insert(rateLimits)
    .values({ key, count: amount, resetsAt: sql`now() + make_interval(secs => ${rule.seconds})` })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${rateLimits.resetsAt} <= now() then ${amount}::int else ${rateLimits.count} + ${amount}::int end`,
        resetsAt: sql`case when ${rateLimits.resetsAt} <= now() then excluded.resets_at else ${rateLimits.resetsAt} end`,
      },
    })
    .returning({
      count: rateLimits.count,
      secondsLeft: sql<number>`ceil(extract(epoch from ${rateLimits.resetsAt} - now()))::int`,
    });
  return { rule, left: rule.max - (row?.count ?? 0), secondsLeft: row?.secondsLeft ?? 0 };
}

/**
 * Resets the limits after a successful attempt: clears the counts of the account, and decrements the count of the
 * address by the one attempt, so that successful sign-ins from a shared address do not exhaust its limit.
 */
export async function resetLimit(name: LimitName, limited: LimitSubject): Promise<void> {
  const counted = getCounters(name, limited);
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
 * Uncounts the one attempt that `consumeLimit` counted; concurrent attempts stay counted. For an attempt that succeeded
 * so far but does not justify clearing earlier ones.
 */
export async function refundAttempt(name: LimitName, limited: LimitSubject): Promise<void> {
  const keys = getCounters(name, limited).map(({ key }) => key);
  await db()
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(inArray(rateLimits.key, keys));
}

const reasons: Partial<Record<LimitName, string>> = {
  import: 'Too many imports in one day.',
  directUpload: `You have uploaded more than ${limits.directUpload.account.max / 1_000_000} GB in one day.`,
  directArchive: 'Too many archives in one day.',
  messageFiles: `You have attached more than ${limits.messageFiles.account.max / 1_000} MB to messages in one day.`,
};

function createRateLimitError(name: LimitName, seconds: number): AppError {
  const what = reasons[name] ?? 'Too many attempts.';
  return new AppError('rate_limited', `${what} Please wait ${formatDuration(seconds)} and try again.`, {
    retryAfterSeconds: seconds,
  });
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes > 1 ? `${minutes} minutes` : 'a minute';
}

/** The remaining changes of a user, and the time of the last update. */
type Bucket = { left: number; at: number };

// On globalThis, because pages and route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketChanges?: Map<string, Bucket> } = globalThis;

/** Above this number full buckets are removed; a bucket is full after a minute without changes. */
const maxBuckets = 10_000;

/**
 * Counts a change of a signed-in user against CHANGES_PER_MINUTE, with a token bucket that holds one minute's changes.
 * Each instance counts in memory, because a database write per change would cost more than many changes do. The
 * effective limit grows with the number of instances.
 * @throws AppError rate_limited
 */
export function countChange(
  userId: string,
  { perMinute = env().CHANGES_PER_MINUTE, now = performance.now() }: { perMinute?: number; now?: number } = {},
): void {
  holder.linkmarketChanges ??= new Map();
  const buckets = holder.linkmarketChanges;
  const left = getTokensLeft(buckets.get(userId), now, perMinute);
  if (left < 1) {
    const seconds = Math.ceil(((1 - left) * 60) / perMinute);
    throw new AppError(
      'rate_limited',
      `You made more than ${perMinute} changes in a minute. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
      { retryAfterSeconds: seconds },
    );
  }
  buckets.set(userId, { left: left - 1, at: now });
  if (buckets.size <= maxBuckets) return;
  for (const [id, bucket] of buckets) if (getTokensLeft(bucket, now, perMinute) === perMinute) buckets.delete(id);
}

const getTokensLeft = (bucket: Bucket | undefined, now: number, perMinute: number) =>
  bucket ? Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000) : perMinute;
