import { join } from 'node:path';
import { type Outcome, playwrightOutcome, singleOutcome, vitestOutcome } from './outcome';

export type Suite = {
  name: string;
  /** What must be there for it: nothing, the database server, a build of the app, or the running app. */
  needs: 'nothing' | 'database' | 'build' | 'app';
  /** Commands behind `node`, run one after the other until one fails. `files` narrow a suite of tests down. */
  commands: (files: string[], report: string) => string[][];
  env?: (report: string) => Record<string, string>;
  outcome: (report: string, exitCode: number | null) => Outcome;
};

const bin = (path: string) => join('node_modules', path);

/** In the order they run: what answers fastest first. */
export const suites: readonly Suite[] = [
  {
    name: 'lint',
    needs: 'nothing',
    commands: () => [
      [bin('@biomejs/biome/bin/biome'), 'check', '.'],
      [bin('knip/bin/knip.js'), '--no-progress'],
    ],
    outcome: (_, exitCode) => singleOutcome(exitCode),
  },
  {
    name: 'types',
    needs: 'nothing',
    commands: () => [
      [bin('next/dist/bin/next'), 'typegen'],
      [bin('typescript/bin/tsc'), '--noEmit'],
    ],
    outcome: (_, exitCode) => singleOutcome(exitCode),
  },
  vitestSuite('unit', 'nothing'),
  vitestSuite('domain', 'database'),
  vitestSuite('api', 'app'),
  vitestSuite('faults', 'build'),
  {
    name: 'e2e',
    needs: 'app',
    commands: (files) => [[bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...files]],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    outcome: playwrightOutcome,
  },
];

function vitestSuite(name: string, needs: Suite['needs']): Suite {
  return {
    name,
    needs,
    commands: (files, report) => [[bin('vitest/vitest.mjs'), 'run', '--project', name, ...reporters(report), ...files]],
    outcome: vitestOutcome,
  };
}

function reporters(report: string): string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
}
