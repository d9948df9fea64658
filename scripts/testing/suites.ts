import { join } from 'node:path';
import type { Selection } from './affected-tests';
import { checkOutcome, type Outcome, playwrightOutcome, vitestOutcome } from './outcome';

export type Suite = Check | TestSuite;

/** A check of the whole project. */
type Check = Common & { name: 'lint' | 'types'; isMadeOfFiles: false };
/** A suite of test files, which can be selected. */
type TestSuite = Common & { name: keyof Selection; isMadeOfFiles: true };

type Common = {
  /** The requirement: nothing, the database server, a build of the app, or the running app. */
  needs: 'nothing' | 'database' | 'build' | 'app';
  /** Arguments of `node` for commands that run in sequence until one fails. `files` selects test files. */
  commands: (files: string[], report: string) => string[][];
  env?: (report: string) => Record<string, string>;
  outcome: (report: string, exitCode: number | null) => Outcome;
};

const bin = (path: string) => join('node_modules', path);

/** In the order they run, fastest first. */
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
      [bin('typescript/bin/tsc'), '--noEmit'],
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
    commands: (files) => [[bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...files]],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    outcome: playwrightOutcome,
  },
];

function vitestSuite(name: Exclude<keyof Selection, 'e2e'>, needs: Suite['needs']): Suite {
  return {
    name,
    isMadeOfFiles: true,
    needs,
    commands: (files, report) => [
      [bin('vitest/vitest.mjs'), 'run', '--project', `${name}*`, ...reporters(report), ...files],
    ],
    outcome: vitestOutcome,
  };
}

function reporters(report: string): string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}
