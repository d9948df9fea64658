import { type SQL, sql } from 'drizzle-orm';
import { NextResponse } from 'next/server';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { isRepeatable } from '@/db/database-errors';
import type { Freshness } from '@/db/replicas';
import { openSnapshot, type Snapshot } from '@/db/snapshot';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/platform/log/log';
import { abortResponse } from '@/lib/platform/log/open-requests';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';

// On globalThis, because pages and route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketOpenLists?: number } = globalThis;

/**
 * Opens a snapshot for a list of any length. The number of open lists is limited per user and for the installation.
 * They are counted with advisory locks that end with the snapshot's transaction, so that all instances share the count
 * and a process that dies leaves no locks. Each replica counts its own, because locks are not replicated.
 * @throws AppError rate_limited
 */
async function openListSnapshot(userId: string, freshness: Freshness): Promise<Snapshot> {
  const opened = holder.linkmarketOpenLists ?? 0;
  // Rejected without a connection: one instance must not open more connections than the installation allows lists.
  if (opened >= unpaginatedLists.perInstallation) throw tooMany('on this marketplace');
  holder.linkmarketOpenLists = opened + 1;
  let isOpen = true;
  const release = () => {
    if (isOpen) holder.linkmarketOpenLists = (holder.linkmarketOpenLists ?? 1) - 1;
    isOpen = false;
  };
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await openSnapshot(freshness);
    const own = sql`hashtext(${userId} || ':' || slot)`;
    if (!(await tryAcquireSlot(snapshot, 'list-of-person', own, unpaginatedLists.perPerson))) throw tooMany('for you');
    if (!(await tryAcquireSlot(snapshot, 'list', sql`slot`, unpaginatedLists.perInstallation))) {
      throw tooMany('on this marketplace');
    }
  } catch (thrown) {
    await snapshot?.close();
    release();
    throw thrown;
  }
  const { close, ...rest } = snapshot;
  return { ...rest, close: () => close().finally(release) };
}

const slots = z.array(z.object({ slot: z.number() }));

/** Tries to acquire a slot. @param key the second key of the lock, computed from the column `slot` */
async function tryAcquireSlot(
  { on }: Snapshot,
  name: 'list' | 'list-of-person',
  key: SQL,
  max: number,
): Promise<boolean> {
  const rows = await on.execute(sql`
    select slot from generate_series(1, ${max}::int) slot
    where pg_try_advisory_xact_lock(${advisoryLock(name)}::int, ${key}) limit 1`);
  return slots.parse([...rows]).length > 0;
}

function tooMany(where: string): AppError {
  return new AppError(
    'rate_limited',
    `Several full lists are being sent ${where} right now. Please wait a few seconds and try again, or request pages with limit and offset.`,
    { retryAfterSeconds: unpaginatedLists.retryAfterSeconds },
  );
}

/** Who receives a list, and what a replica must show to be read for it. */
export type ListCaller = { userId: string; requestId: string } & Freshness;

type StreamedBody = { headers: Record<string, string>; pieces: AsyncGenerator<string | Uint8Array> };
/** The maximum time without progress by the client, and for the whole response. */
type StreamLimits = { stallSeconds: number; maxSeconds: number };

/**
 * Streams a response of any length from one snapshot of the database, with backpressure. An error before the first
 * chunk becomes a normal error response. A later error closes the connection, so that the client cannot mistake a part
 * for the whole; so does a client that reads nothing for `stallSeconds`, or has not finished after `maxSeconds`. The
 * snapshot is closed when the response ends.
 * @throws AppError rate_limited when too many lists are being sent (lib/platform/http/stream-response.ts)
 */
export async function streamResponse<T>(
  { userId, requestId, seen, proof }: ListCaller,
  make: (snapshot: Snapshot) => Promise<StreamedBody>,
  limits: StreamLimits = unpaginatedLists,
): Promise<NextResponse<T>> {
  const snapshot = await openListSnapshot(userId, { seen, proof });
  try {
    const { headers, pieces } = await make(snapshot);
    const first = await pieces.next();
    snapshot.endTimeLimit();
    return new NextResponse<T>(createBody(snapshot, pieces, first, { requestId, ...limits }), { headers });
  } catch (thrown) {
    await snapshot.close();
    // Nothing was sent: a statement may have conflicted with replication.
    if (snapshot.isReplica && isRepeatable(thrown)) return streamResponse({ userId, requestId }, make, limits);
    throw thrown;
  }
}

function createBody(
  snapshot: Snapshot,
  pieces: AsyncGenerator<string | Uint8Array>,
  first: IteratorResult<string | Uint8Array>,
  { requestId, stallSeconds, maxSeconds }: StreamLimits & { requestId: string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string | Uint8Array>> | undefined = Promise.resolve(first);
  let isEnded = false;
  let stallTimer: NodeJS.Timeout | undefined;
  let deadlineTimer: NodeJS.Timeout | undefined;
  const end = async () => {
    isEnded = true;
    clearTimeout(stallTimer);
    clearTimeout(deadlineTimer);
    await snapshot.close();
  };
  const abort = (controller: ReadableStreamDefaultController) => {
    log().warn({ requestId }, 'A list was cut off because its client read too slowly.');
    controller.error(new Error('The client was too slow.'));
    // A stream error alone closes the connection only after the pending write, which the client does not read.
    abortResponse(requestId);
    void end();
  };
  const startStallTimer = (controller: ReadableStreamDefaultController) => {
    stallTimer = setTimeout(abort, stallSeconds * 1_000, controller).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        deadlineTimer = setTimeout(abort, maxSeconds * 1_000, controller).unref();
        startStallTimer(controller);
      },
      async pull(controller) {
        clearTimeout(stallTimer);
        try {
          const { done, value } = await (next ?? pieces.next());
          next = undefined;
          if (isEnded) return;
          if (done) {
            await end();
            return controller.close();
          }
          controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
          startStallTimer(controller);
        } catch (thrown) {
          if (isEnded) return;
          log().error({ requestId, err: thrown }, 'A list failed while it was being sent.');
          controller.error(thrown);
          await end();
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
