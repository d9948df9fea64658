import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../../lib/platform/log/describe-error';
import { redactText } from '../../lib/platform/log/redact';
import { findRunner } from './ancestors';
import { isAlive } from './identity';

export type Lifetime = {
  /** Stops `started` when the command ends, even when it is still on its way then. @returns what was started */
  own<T>(started: Promise<T>, stop: (thing: T) => Promise<void> | void): Promise<T>;
  /** Ends the command: everything owned is stopped, newest first, then the process exits with the code. */
  end(code: number): Promise<never>;
  /** Called when everything has stopped, as the very last thing. */
  onExit(say: () => void): void;
  /** Whether the command is ending already. */
  isEnding(): boolean;
};

/**
 * Runs a command that holds services. Ctrl-C, SIGTERM, or the death of npm or the terminal stop what it started, in
 * order. A mistake that `main` throws is printed as one message, without a stack when it is meant for a person.
 */
export function runCommand(main: (lifetime: Lifetime) => Promise<void>): void {
  const stops: (() => Promise<void>)[] = [];
  let ending: Promise<never> | undefined;
  let last: (() => void) | undefined;
  const finish = async (code: number): Promise<never> => {
    let result = code;
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      await stop().catch((error: unknown) => {
        report(error);
        result = 1;
      });
    }
    last?.();
    process.exit(result);
  };
  const end = (code: number) => {
    ending ??= finish(code);
    return ending;
  };
  const own: Lifetime['own'] = async (started, stop) => {
    stops.push(async () => {
      const thing = await started.catch(() => undefined);
      if (thing !== undefined) await stop(thing);
    });
    const thing = await started;
    // Asked to end meanwhile: whoever waits for this must not go on and start more.
    if (ending) await ending;
    return thing;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  void endWithRunner(() => end(0));
  const onExit = (say: () => void) => {
    last = say;
  };
  main({ own, end, onExit, isEnding: () => ending !== undefined }).catch((error: unknown) => {
    if (!ending) report(error);
    return end(1);
  });
}

/** npm killed with SIGKILL tells nobody; without this its command would live on and keep the ports. */
async function endWithRunner(end: () => Promise<never>): Promise<void> {
  process.once('disconnect', () => void end());
  const runners = findRunner();
  if (runners.length === 0) return;
  while (runners !== 'gone' && runners.every(isAlive)) await sleep(500, undefined, { ref: false });
  await end();
}

/**
 * Errors of ours are plain messages; an error with a system code or another class is a fault and shows its stack, or the
 * statement of a failed query without its values, and the cause.
 */
function report(error: unknown): void {
  const plain = error instanceof Error && error.constructor === Error;
  const { message, cause, stack } = describeError(error);
  const fault = [stack ?? message, cause && `caused by ${cause}`].filter(Boolean).join('\n');
  process.stderr.write(`\n${redactText(plain ? error.message : fault)}\n`);
}
