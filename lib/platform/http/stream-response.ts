import { NextResponse } from 'next/server';
import type { Snapshot } from '@/db/snapshot';
import { log } from '../log/log';
import { cutAnswer } from '../log/open-requests';
import { wholeLists } from '../rate-limits/limits';
import { openList } from '../rate-limits/open-list';

type Streamed = { headers: Record<string, string>; pieces: AsyncGenerator<string> };
/** For how long a caller may take nothing, and all of it. */
type Patience = { stallSeconds: number; maxSeconds: number };

/**
 * Sends an answer of any length out of one snapshot of the database while it is read, as fast as the caller takes it.
 * What fails before the first piece is answered as usual. A later failure cuts the connection, so that the caller cannot
 * take a part for the whole; so does a caller who takes nothing for `stallSeconds`, or is not done after `maxSeconds`.
 * The snapshot is closed when the answer ends, whoever ends it.
 * @throws AppError rate_limited when several are being sent (lib/platform/rate-limits/open-list.ts)
 */
export async function streamResponse<T>(
  { userId, requestId }: { userId: string; requestId: string },
  make: (snapshot: Snapshot) => Promise<Streamed>,
  patience: Patience = wholeLists,
): Promise<NextResponse<T>> {
  const snapshot = await openList(userId);
  try {
    const { headers, pieces } = await make(snapshot);
    const first = await pieces.next();
    return new NextResponse<T>(bodyOf(snapshot, pieces, first, { requestId, ...patience }), { headers });
  } catch (thrown) {
    await snapshot.close();
    throw thrown;
  }
}

function bodyOf(
  snapshot: Snapshot,
  pieces: AsyncGenerator<string>,
  first: IteratorResult<string>,
  { requestId, stallSeconds, maxSeconds }: Patience & { requestId: string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(first);
  let isEnded = false;
  let stalled: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  const end = async () => {
    isEnded = true;
    clearTimeout(stalled);
    clearTimeout(late);
    await snapshot.close();
  };
  const cut = (controller: ReadableStreamDefaultController) => {
    log().warn({ requestId }, 'A list was cut off: its caller took it too slowly.');
    controller.error(new Error('The caller was too slow.'));
    // An error of the stream closes the connection after the write that the caller does not take.
    cutAnswer(requestId);
    void end();
  };
  const awaitCaller = (controller: ReadableStreamDefaultController) => {
    stalled = setTimeout(cut, stallSeconds * 1_000, controller).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        late = setTimeout(cut, maxSeconds * 1_000, controller).unref();
        awaitCaller(controller);
      },
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { done, value } = await (next ?? pieces.next());
          next = undefined;
          if (isEnded) return;
          if (done) {
            await end();
            return controller.close();
          }
          controller.enqueue(encoder.encode(value));
          awaitCaller(controller);
        } catch (thrown) {
          if (isEnded) return;
          log().error({ requestId, err: thrown }, 'A list failed while it was sent.');
          controller.error(thrown);
          await end();
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
