// On globalThis, as the instrumentation that ends the process and the addresses that answer are bundled apart.
type ProcessState = { isEnding: boolean; working: number; whenIdle: (() => void)[] };
const holder: typeof globalThis & { linkmarketProcess?: ProcessState } = globalThis;

function state(): ProcessState {
  holder.linkmarketProcess ??= { isEnding: false, working: 0, whenIdle: [] };
  return holder.linkmarketProcess;
}

/** From here on the process takes nothing new: it is not ready, and no job takes its turn. */
export function beginEnding(): void {
  state().isEnding = true;
}

export function isEnding(): boolean {
  return state().isEnding;
}

/** Notes work that no open request shows: a job, or what goes on after an answer. @returns to be called when it is done */
export function beginWork(): () => void {
  state().working += 1;
  return () => {
    state().working -= 1;
    if (state().working === 0) for (const resolve of state().whenIdle.splice(0)) resolve();
  };
}

/** Resolves when no such work is going on. */
export async function workDone(): Promise<void> {
  if (state().working > 0) await new Promise<void>((resolve) => state().whenIdle.push(resolve));
}
