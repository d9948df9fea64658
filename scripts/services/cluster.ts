import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '@/scripts/process/lifetime';

type ClusterOptions = {
  /** The script of a process, and its arguments. */
  exec: string;
  args: string[];
  /** The number of processes that serve the same port. */
  size: number;
  /** The environment of the process at an index, from 0. */
  env: (index: number) => Record<string, string>;
  /** Time to end after SIGTERM before a process is killed. */
  killTimeoutMs: number;
  onLine: (line: string, stream: 'out' | 'error') => void;
  /** Reports starts and ends of processes. */
  log: (text: string, level: 'info' | 'error') => void;
};

/** The wait before a process that ended is started again; doubles while processes end early. */
const restartBackoff = { firstMs: 500, maxMs: 30_000 };
/** A process that ran for this time has started properly. */
const stableMs = 60_000;
/** The time until a process listens. */
const startTimeoutMs = 60_000;

/**
 * Runs several processes on one port (node:cluster): the system's connections are distributed among them. A process that
 * ends is started again with a growing wait. SIGHUP replaces one process after the other: the new one listens before the
 * old one stops accepting and finishes its requests, so no connection is refused. The command's end stops them all.
 * @throws Error when a process of the first start ends before it listens
 */
export async function runCluster(lifetime: Lifetime, options: ClusterOptions): Promise<never> {
  const { exec, args, size, env, killTimeoutMs, onLine, log } = options;
  // Not with the options of this process: its loader for TypeScript would be in every process of the app.
  cluster.setupPrimary({ exec, args, execArgv: [], silent: true });
  const members: { worker: Worker; startedAt: number; earlyEnds: number }[] = [];
  /** Processes that were replaced and finish their requests. */
  const leaving = new Set<Worker>();

  const fork = async (index: number): Promise<Worker> => {
    const worker = cluster.fork(env(index));
    for (const [stream, name] of [
      [worker.process.stdout, 'out'],
      [worker.process.stderr, 'error'],
    ] as const)
      if (stream) createInterface({ input: stream }).on('line', (line) => onLine(line, name));
    const outcome = await Promise.race([
      once(worker, 'listening').then(() => 'listening' as const),
      once(worker, 'exit').then(() => 'ended' as const),
      sleep(startTimeoutMs, 'late' as const, { ref: false }),
    ]);
    if (outcome === 'listening') return worker;
    await stop(worker);
    throw new Error(
      outcome === 'ended'
        ? `Process ${index + 1} of ${size} ended before it accepted connections. Its output is above.`
        : `Process ${index + 1} of ${size} did not listen within ${startTimeoutMs / 1000} seconds.`,
    );
  };

  const stop = async (worker: Worker) => {
    if (worker.isDead()) return;
    // Later than 'exit': its last lines have been read.
    const ended = once(worker.process, 'close');
    worker.process.kill('SIGTERM');
    await Promise.race([ended, sleep(killTimeoutMs, undefined, { ref: false })]);
    if (!worker.isDead()) worker.process.kill('SIGKILL');
    await ended;
  };

  /** Takes a process into the cluster, and starts another one in its place when it ends. */
  const join = (index: number, worker: Worker, earlyEnds = 0) => {
    const member = { worker, startedAt: performance.now(), earlyEnds };
    members[index] = member;
    worker.once('exit', (code, signal) => {
      if (lifetime.isEnding() || leaving.delete(worker)) return;
      log(`Process ${index + 1} of ${size} ended (${signal || `exit code ${code}`}) and is started again.`, 'error');
      const isEarly = performance.now() - member.startedAt < stableMs;
      void restart(index, isEarly ? member.earlyEnds + 1 : 1);
    });
    // It may have ended before the listener was there.
    if (worker.isDead()) worker.emit('exit', worker.process.exitCode, worker.process.signalCode);
  };

  const restart = async (index: number, earlyEnds: number): Promise<void> => {
    const { firstMs, maxMs } = restartBackoff;
    await sleep(Math.min(firstMs * 2 ** (earlyEnds - 1), maxMs));
    if (lifetime.isEnding()) return;
    try {
      join(index, await fork(index), earlyEnds);
      log(`Process ${index + 1} of ${size} accepts connections again.`, 'info');
    } catch (thrown) {
      if (lifetime.isEnding()) return;
      log(thrown instanceof Error ? thrown.message : String(thrown), 'error');
      await restart(index, earlyEnds + 1);
    }
  };

  const roll = async () => {
    for (const [index, { worker: old }] of members.entries()) {
      if (lifetime.isEnding()) return;
      // A process that just ended is started anew anyway.
      if (old.isDead()) continue;
      try {
        const fresh = await fork(index);
        leaving.add(old);
        join(index, fresh);
        await stop(old);
      } catch (thrown) {
        log(`${thrown instanceof Error ? thrown.message : String(thrown)} The earlier processes go on.`, 'error');
        return;
      }
    }
    log(`All ${size} processes were replaced.`, 'info');
  };
  let rolled = Promise.resolve();
  lifetime.onHangUp(() => {
    rolled = rolled.then(roll);
  });

  await lifetime.own(Promise.resolve(cluster), async () => {
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker)));
  });
  await Promise.all(Array.from({ length: size }, async (_, index) => join(index, await fork(index))));
  log(`${size} processes accept connections.`, 'info');
  return new Promise<never>(() => undefined);
}
