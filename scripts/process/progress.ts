const silenceMs = 10_000;

export type Progress = {
  /** Prints a line. */
  say: (line: string) => void;
  /** Shows a step while `work` runs, e.g. "building the app". @returns the result of `work` */
  step: <Result>(name: string, work: Promise<Result>) => Promise<Result>;
  /** Stops to show steps. */
  end: () => void;
};

/**
 * Shows which steps run and for how long: on a terminal in a line that is updated every second, elsewhere in a line after
 * every ten seconds without another one.
 */
export function showProgress(out: { isTTY?: boolean; write: (text: string) => unknown } = process.stdout): Progress {
  const running = new Map<string, number>();
  let lastLine = Date.now();
  let isShown = false;
  const clear = () => {
    if (isShown) out.write('\r\u001b[K');
    isShown = false;
  };
  const say = (line: string) => {
    clear();
    out.write(`${line}\n`);
    lastLine = Date.now();
  };
  const update = () => {
    const steps = [...running].map(([name, started]) => `${name} ${formatSeconds(started)}`).join(' · ');
    if (steps === '') return;
    if (out.isTTY) {
      clear();
      out.write(`  ${steps}`);
      isShown = true;
    } else if (Date.now() - lastLine >= silenceMs) say(`  … ${steps}`);
  };
  const timer = setInterval(update, 1_000);
  timer.unref();
  return {
    say,
    step: async (name, work) => {
      running.set(name, Date.now());
      update();
      try {
        return await work;
      } finally {
        running.delete(name);
        clear();
      }
    },
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

function formatSeconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}
