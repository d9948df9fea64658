import { type Serializable, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './root';

export type Child = {
  name: string;
  /** 0 when it could not be started. */
  pid: number;
  /** Resolves when it has ended for any reason. */
  exited: Promise<void>;
  hasExited: () => boolean;
  exitCode: () => number | null;
  /** Its last lines, for error messages. */
  tail: () => string;
  /** Sends a message over the IPC channel; a process that has ended does not receive it. */
  send: (message: Serializable) => void;
  stop: () => Promise<void>;
};

export type ChildOptions = {
  name: string;
  /** The arguments of `node`, relative to the project's folder. */
  args: string[];
  env: Record<string, string | undefined>;
  /** Time to end after SIGTERM before it is killed. */
  killTimeoutMs?: number;
  /** Of the scheduler, as `nice` sets it: 0 by default, and up to 19 for the lowest. */
  priority?: number;
  /** Called for each printed line; without it the lines are only kept for `tail`. */
  onLine?: (line: string, stream: 'out' | 'error') => void;
};

const maxLines = 30;
const exitWithParent = pathToFileURL(join(projectRoot, 'scripts/process/exit-with-parent.mjs')).href;

/** Returns the arguments of `node` for a TypeScript file of the project. */
export function tsxArgs(file: string): string[] {
  return ['--import', 'tsx', file];
}

/** Starts a Node.js process that ends with this one, even when this one is killed. */
export function startChild({
  name,
  args,
  env,
  killTimeoutMs: patienceMs = 6_000,
  priority,
  onLine,
}: ChildOptions): Child {
  const child = spawn(process.execPath, ['--import', exitWithParent, ...args], {
    cwd: projectRoot,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', LINKMARKET_PARENT: String(process.pid), ...env },
    // A separate process group: Ctrl-C in the terminal reaches only this process, which stops its children in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (priority !== undefined && child.pid) setPriority(child.pid, priority);
  const lines: string[] = [];
  const take = (stream: 'out' | 'error') => (line: string) => {
    lines.push(line);
    if (lines.length > maxLines) lines.shift();
    onLine?.(line, stream);
  };
  if (child.stdout) createInterface({ input: child.stdout }).on('line', take('out'));
  if (child.stderr) createInterface({ input: child.stderr }).on('line', take('error'));
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const done = () => {
      ended = true;
      resolve();
    };
    child.once('close', done);
    child.once('error', (error) => {
      lines.push(error.message);
      done();
    });
  });
  const stop = async () => {
    if (ended) return;
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })]);
    // Kills the whole group, including its own children.
    if (!ended && child.pid) process.kill(-child.pid, 'SIGKILL');
    await exited;
  };
  const pid = child.pid ?? 0;
  return {
    name,
    pid,
    exited,
    hasExited: () => ended,
    exitCode: () => child.exitCode,
    tail: () => lines.join('\n'),
    send: (message) => void child.send(message, () => undefined),
    stop,
  };
}
