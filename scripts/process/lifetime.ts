import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@/lib/platform/log/describe-error';
import { redactText } from '@/lib/platform/log/redact';
import { findRunner } from './ancestors';
import { isAlive } from './identity';

export type Lifetime = {
  /** Stops `started` when the command ends, even when it is still starting then. @returns the started resource */
  own<T>(started: Promise<T>, stop: (thing: T) => Promise<void> | void): Promise<T>;
  /** Ends the command: stops all owned resources, newest first, and exits with the code. */
  end(code: number): Promise<never>;
  /** Called last, after everything has stopped. */
  onExit(say: () => void): void;
  /** Called for SIGHUP, which otherwise ends the command. */
  onHangUp(reload: () => void): void;
  /** Whether the command is ending. */
  isEnding(): boolean;
};

/**
 * Runs a command that owns services. Ctrl-C, SIGTERM, or the end of npm or the terminal stop them in order. An error of
 * `main` is printed as one message, without a stack when it is meant for users.
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
    // The command is ending, so the caller must not continue and start more.
    if (ending) await ending;
    return thing;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  let hangUp: () => void = () => void end(0);
  process.on('SIGHUP', () => hangUp());
  void endWithRunner(() => end(0));
  const onExit = (say: () => void) => {
    last = say;
  };
  const onHangUp = (reload: () => void) => {
    hangUp = reload;
  };
  main({ own, end, onExit, onHangUp, isEnding: () => ending !== undefined }).catch((error: unknown) => {
    if (!ending) report(error);
    return end(1);
  });
}

/**
 * Ends the command with npm: npm sends no signal when it is killed with SIGKILL, and the command would keep its ports.
 */
async function endWithRunner(end: () => Promise<never>): Promise<void> {
  process.once('disconnect', () => void end());
  const runners = findRunner();
  if (runners.length === 0) return;
  while (runners !== 'gone' && runners.every(isAlive)) await sleep(500, undefined, { ref: false });
  await end();
}

/**
 * Prints an error. Plain errors are messages for users. An error with a system code or another class is a defect and
 * shows its stack, or the statement of a failed query without its values, and the cause.
 */
function report(error: unknown): void {
  const plain = error instanceof Error && error.constructor === Error;
  const { message, cause, stack } = describeError(error);
  const fault = [stack ?? message, cause && `caused by ${cause}`].filter(Boolean).join('\n');
  process.stderr.write(`\n${redactText(plain ? error.message : fault)}\n`);
}
