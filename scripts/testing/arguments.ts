import { type SuiteName, suites } from './suites';

/** What `npm test -- …` asks for. */
export type Arguments = {
  suites: SuiteName[];
  /** Files and options of the test runner, e.g. `--shard=1/2`, in their order. */
  passed: string[];
  isChanged: boolean;
  /** Whether it names a file of the full tier, which only the full tier runs. */
  isFull: boolean;
};

/**
 * Parses the words after `npm test --`: names of suites, `--changed`, and what is passed on to the test runner.
 * @throws Error when files or options are given without a suite
 */
export function parseArguments(words: readonly string[]): Arguments {
  const named = suites.map(({ name }) => name).filter((name) => words.includes(name));
  const passed = words.filter((word) => word !== '--changed' && !suites.some(({ name }) => name === word));
  if (named.length === 0 && passed.length > 0)
    throw new Error(`Unknown suite ${passed[0]}; use ${suites.map(({ name }) => name).join(', ')}.`);
  return {
    suites: named.length > 0 ? named : suites.map(({ name }) => name),
    passed,
    isChanged: words.includes('--changed'),
    isFull: passed.some((word) => /\.full\.(test|spec)\./.test(word)),
  };
}
