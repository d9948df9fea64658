/**
 * Returns the sample of hostile inputs, because addresses that share a parser or a guard also share the inputs for it. With
 * HOSTILE=all, as in the weekly run of CI, returns all of them.
 */
export const sampled = <T>(all: readonly T[], sample: readonly T[]): readonly T[] =>
  process.env.HOSTILE === 'all' ? all : sample;
