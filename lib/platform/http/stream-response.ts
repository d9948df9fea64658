import { NextResponse } from 'next/server';
import type { Snapshot } from '@/db/snapshot';
import { log } from '@/lib/platform/log/log';
import { abortResponse } from '@/lib/platform/log/open-requests';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { openListSnapshot } from '@/lib/platform/rate-limits/open-list';

type StreamedBody = { headers: Record<string, string>; pieces: AsyncGenerator<string | Uint8Array> };
/** The maximum time without progress by the client, and for the whole response. */
type StreamLimits = { stallSeconds: number; maxSeconds: number };

/**
 * Streams a response of any length from one snapshot of the database, with backpressure. An error before the first
 * chunk becomes a normal error response. A later error closes the connection, so that the client cannot mistake a part
 * for the whole; so does a client that reads nothing for `stallSeconds`, or has not finished after `maxSeconds`. The
 * snapshot is closed when the response ends.
 * @throws AppError rate_limited when too many lists are being sent (lib/platform/rate-limits/open-list.ts)
 */
export async function streamResponse<T>(
  { userId, requestId }: { userId: string; requestId: string },
  make: (snapshot: Snapshot) => Promise<StreamedBody>,
  limits: StreamLimits = unpaginatedLists,
): Promise<NextResponse<T>> {
  const snapshot = await openListSnapshot(userId);
  try {
    const { headers, pieces } = await make(snapshot);
    const first = await pieces.next();
    return new NextResponse<T>(createBody(snapshot, pieces, first, { requestId, ...limits }), { headers });
  } catch (thrown) {
    await snapshot.close();
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
