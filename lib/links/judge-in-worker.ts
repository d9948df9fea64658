import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { log } from '@/lib/platform/log/log';
import { type Judgement, judgePage } from './judge-page';

type Judging = Parameters<typeof judgePage>;
type PageJudge = (
  requested: Judging[0],
  fetched: Judging[1],
  options: Judging[2] & { signal?: AbortSignal },
) => Promise<Judgement>;

/** The largest ordinary page is judged in less than a second. */
const maxMs = 5_000;
/** The trees of the largest pages need less than half of it. */
const maxHeapMb = 256;
/** A thread that needs longer failed to load its code. */
const startMs = 60_000;

/**
 * Creates a judge of pages that works as `judgePage` does, in a worker thread, so that no page delays the requests of
 * others. The thread starts with the first page, judges one page at a time, and does not keep the process running while
 * it is idle. A page that needs more time or memory than the limits ends the thread and is judged as `too_complex`; the
 * next page gets a new thread. A page that waits for its turn when `signal` is aborted is not judged.
 * @throws what judging throws, the reason of `signal`, and when a thread cannot start
 */
export function createPageJudge(limits = { maxMs, maxHeapMb }): PageJudge {
  let idle: Worker | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const judge = async (...judging: Judging): Promise<Judgement> => {
    const thread = idle ?? (await startThread(limits.maxHeapMb));
    idle = undefined;
    thread.ref();
    const isLate = AbortSignal.timeout(limits.maxMs);
    try {
      thread.postMessage(judging);
      const [judgement]: Judgement[] = await once(thread, 'message', { signal: isLate });
      if (!judgement) throw new Error('The thread judged no page.');
      thread.unref();
      idle = thread;
      return judgement;
    } catch (thrown) {
      await thread.terminate();
      if (!isLate.aborted && !isOutOfMemory(thrown)) throw thrown;
      const [requested, fetched, options] = judging;
      return judgePage(requested, fetched, options, () => 'too_complex');
    }
  };

  return (requested, fetched, { signal, ...options }) => {
    const judged = turn.then(() => {
      signal?.throwIfAborted();
      return judge(requested, fetched, options);
    });
    turn = Promise.allSettled([judged]);
    return judged;
  };
}

async function startThread(maxOldGenerationSizeMb: number): Promise<Worker> {
  const thread = new Worker(new URL('./judge-worker.ts', import.meta.url), {
    name: 'judge-page',
    resourceLimits: { maxOldGenerationSizeMb },
    // Tests and scripts run the sources. The build defines the variable, and compiles the worker as well.
    ...(process.env.NEXT_RUNTIME === undefined && { execArgv: ['--require', 'tsx/cjs'] }),
  });
  // Without a listener the error of a thread would end the process.
  thread.on('error', (err) => log().warn({ err }, 'The thread that judges pages ended.'));
  try {
    await once(thread, 'message', { signal: AbortSignal.timeout(startMs) });
    return thread;
  } catch (thrown) {
    await thread.terminate();
    throw thrown;
  }
}

const isOutOfMemory = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
