import { env } from '../env';
import { AppError } from '../errors';

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
