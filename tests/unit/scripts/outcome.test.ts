import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../../scripts/process/root';
import { checkOutcome, playwrightOutcome, vitestOutcome } from '../../../scripts/testing/outcome';
import { formatSummary } from '../../../scripts/testing/summary';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkmarket-outcome-'));
  file = join(folder, 'report.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content: unknown): string {
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const tests = (...statuses: string[]) => statuses.map((status) => ({ status }));

test('counts a skipped test and an unreadable file as failed', () => {
  const testResults = [
    { name: 'a', status: 'passed', assertionResults: tests('passed', 'passed', 'pending') },
    { name: 'b', status: 'failed', assertionResults: [] },
    { name: 'c', status: 'failed', assertionResults: tests('passed', 'failed') },
  ];
  expect(vitestOutcome(report({ testResults }), 1)).toMatchObject({ passed: 3, failed: 3 });
});

test('a suite with a bad exit code never passes', () => {
  expect(vitestOutcome(report({ testResults: [] }), 1)).toEqual({ passed: 0, failed: 1, files: [] });
  expect(vitestOutcome(join(folder, 'none.json'), 1)).toEqual({ passed: 0, failed: 1, files: [] });
  expect(playwrightOutcome(join(folder, 'none.json'), null)).toEqual({ passed: 0, failed: 1, files: [] });
  expect(checkOutcome(null)).toEqual({ passed: 0, failed: 1, files: [] });
});

test('browser tests: flaky, skipped and broken ones are failures', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
  expect(playwrightOutcome(report({ stats, errors: [{}], suites: [] }), 1)).toEqual({
    passed: 4,
    failed: 4,
    files: [],
  });
});

test('reports tests and time of each file of a suite', () => {
  const unit = [
    { name: join(projectRoot, 'tests/a.test.ts'), status: 'passed', startTime: 1_000, endTime: 3_500 },
    { name: join(projectRoot, 'tests/b.test.ts'), status: 'passed', startTime: 1_000, endTime: 1_100 },
  ].map((file) => ({ ...file, assertionResults: tests('passed', 'passed') }));
  expect(vitestOutcome(report({ testResults: unit }), 0).files).toEqual([
    { file: 'tests/a.test.ts', tests: 2, ms: 2_500 },
    { file: 'tests/b.test.ts', tests: 2, ms: 100 },
  ]);

  const spec = (file: string, ...durations: number[]) => ({
    file,
    tests: durations.map((duration) => ({ results: [{ duration }] })),
  });
  const suites = [
    { specs: [spec('a.spec.ts', 40)], suites: [{ specs: [spec('a.spec.ts', 2, 3)] }] },
    { specs: [spec('b.spec.ts', 7)] },
  ];
  const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };
  expect(playwrightOutcome(report({ stats, errors: [], suites }), 0).files).toEqual([
    { file: 'tests/e2e/a.spec.ts', tests: 3, ms: 45 },
    { file: 'tests/e2e/b.spec.ts', tests: 1, ms: 7 },
  ]);
});

test('the summary shows the suites, and the ten slowest files of each', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ file: `${index}.test.ts`, tests: 1, ms: index * 1_000 }));
  const summary = formatSummary([
    { name: 'lint', passed: 1, failed: 0, ms: 1_234, files: [] },
    { name: 'unit', passed: 11, failed: 1, ms: 66_000, files },
  ]);
  expect(summary.split('\n').slice(0, 7)).toEqual([
    'suite  tests  failed  seconds',
    'lint       1       0      1.2',
    'unit      12       1     66.0',
    '',
    'slowest of unit  tests  seconds',
    '11.test.ts           1     11.0',
    '10.test.ts           1     10.0',
  ]);
  expect(summary).not.toContain(' 1.test.ts');
  expect(summary.split('\n')).toHaveLength(15);
});
