import { join } from 'node:path';
import type { Selection } from './affected-tests';
import { checkOutcome, type Outcome, playwrightOutcome, vitestOutcome } from './outcome';

export type Suite = Check | TestSuite;
export type SuiteName = Suite['name'];

/** A check of the whole project. */
type Check = Common & { name: 'lint' | 'types'; isMadeOfFiles: false };
/** A suite of test files, which can be selected. */
type TestSuite = Common & { name: keyof Selection; isMadeOfFiles: true };

type Common = {
  /** The requirement: nothing, the database server, a build of the app, or the running app. */
  needs: 'nothing' | 'database' | 'build' | 'app';
  /** Arguments of `node` for commands that run in sequence until one fails. `passed` are test files and options. */
  commands: (passed: string[], report: string) => string[][];
  env?: (report: string) => Record<string, string>;
  outcome: (report: string, exitCode: number | null, isFull: boolean) => Outcome;
};

const bin = (path: string) => join('node_modules', path);

export const suites: readonly Suite[] = [
  {
    name: 'lint',
    isMadeOfFiles: false,
    needs: 'nothing',
    commands: () => [
      [bin('@biomejs/biome/bin/biome'), 'check', '.'],
      [bin('knip/bin/knip.js'), '--no-progress'],
    ],
    outcome: (_, exitCode) => checkOutcome(exitCode),
  },
  {
    name: 'types',
    isMadeOfFiles: false,
    needs: 'nothing',
    commands: () => [
      [bin('next/dist/bin/next'), 'typegen'],
      // The native compiler checks in less than half the time. Its API is not that of version 6, which tests use.
      [bin('typescript-native/bin/tsc'), '--noEmit'],
    ],
    outcome: (_, exitCode) => checkOutcome(exitCode),
  },
  vitestSuite('unit', 'nothing'),
  vitestSuite('domain', 'database'),
  vitestSuite('api', 'app'),
  vitestSuite('faults', 'build'),
  {
    name: 'e2e',
    isMadeOfFiles: true,
    needs: 'app',
    commands: (passed) => [[bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...passed]],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    outcome: playwrightOutcome,
  },
];

/**
 * The suites of a lane run in turn, beside the other lane. Those of the first use all cores but wait for the database and
 * the app about a quarter of the time; those of the second use what they leave. The API and browser tests share one
 * installation and its settings, so they are in one lane.
 */
export const lanes: readonly { names: readonly SuiteName[]; priority: number }[] = [
  { names: ['domain', 'api', 'e2e'], priority: 0 },
  { names: ['lint', 'types', 'unit', 'faults'], priority: 5 },
];

function vitestSuite(name: Exclude<keyof Selection, 'e2e'>, needs: Suite['needs']): Suite {
  return {
    name,
    isMadeOfFiles: true,
    needs,
    // Some suites are several projects.
    commands: (passed, report) => [
      [bin('vitest/vitest.mjs'), 'run', '--project', `${name}*`, ...reporters(report), ...passed],
    ],
    outcome: vitestOutcome,
  };
}

function reporters(report: string): string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}
