// On globalThis, because the instrumentation and the route handlers are bundled separately.
type ProcessState = { isShuttingDown: boolean; working: number; whenIdle: (() => void)[] };
const holder: typeof globalThis & { linkmarketProcess?: ProcessState } = globalThis;

function state(): ProcessState {
  holder.linkmarketProcess ??= { isShuttingDown: false, working: 0, whenIdle: [] };
  return holder.linkmarketProcess;
}

/** Starts the shutdown: the process reports not ready and starts no more jobs. */
export function beginShutdown(): void {
  state().isShuttingDown = true;
}

export function isShuttingDown(): boolean {
  return state().isShuttingDown;
}

/**
 * Registers work that is not an open request: a job, or work after a response. @returns a function to call when done
 */
export function beginWork(): () => void {
  state().working += 1;
  return () => {
    state().working -= 1;
    if (state().working === 0) for (const resolve of state().whenIdle.splice(0)) resolve();
  };
}

/** Resolves when all registered work is done. */
export async function waitForWork(): Promise<void> {
  if (state().working > 0) await new Promise<void>((resolve) => state().whenIdle.push(resolve));
}
