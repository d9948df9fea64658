import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '@/scripts/process/root';
import { checkOutcome, playwrightOutcome, vitestOutcome } from '@/scripts/testing/outcome';
import { formatSummary } from '@/scripts/testing/summary';

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

test('tests of the full tier that the standard tier left out do not count', () => {
  const left = { status: 'skipped', tags: ['full'] };
  const testResults = [{ name: 'a', status: 'passed', assertionResults: [...tests('passed', 'skipped'), left] }];
  expect(vitestOutcome(report({ testResults }), 0)).toMatchObject({ passed: 1, failed: 1, files: [{ tests: 2 }] });
  expect(vitestOutcome(file, 0, true)).toMatchObject({ passed: 1, failed: 2, files: [{ tests: 3 }] });
});

test('a suite with a bad exit code never passes', () => {
  expect(vitestOutcome(report({ testResults: [] }), 1)).toEqual({ passed: 0, failed: 1, files: [], failures: [] });
  expect(vitestOutcome(join(folder, 'none.json'), 1)).toEqual({ passed: 0, failed: 1, files: [], failures: [] });
  expect(playwrightOutcome(join(folder, 'none.json'), null)).toEqual({ passed: 0, failed: 1, files: [], failures: [] });
  expect(checkOutcome(null)).toEqual({ passed: 0, failed: 1, files: [], failures: [] });
});

test('browser tests: flaky, skipped and broken ones are failures', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
  expect(playwrightOutcome(report({ stats, errors: [{ message: 'No such file\nat line 3' }], suites: [] }), 1)).toEqual(
    {
      passed: 4,
      failed: 4,
      files: [],
      failures: [{ file: 'tests/e2e', title: '', message: 'No such file' }],
    },
  );
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

test('lists the tests that did not pass, with the first line of their errors', () => {
  const testResults = [
    {
      name: join(projectRoot, 'tests/a.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'adds' },
        { status: 'failed', fullName: 'sums', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[0m\n at a.ts:3'] },
        { status: 'pending', fullName: 'counts', failureMessages: null },
      ],
    },
    { name: join(projectRoot, 'tests/b.test.ts'), status: 'failed', message: 'No module', assertionResults: [] },
  ];
  expect(vitestOutcome(report({ testResults }), 1).failures).toEqual([
    { file: 'tests/a.test.ts', title: 'sums', message: 'expected 1 to be 2' },
    { file: 'tests/a.test.ts', title: 'counts', message: 'The test was pending.' },
    { file: 'tests/b.test.ts', title: '', message: 'No module' },
  ]);
  const tests = [
    { status: 'expected', results: [{ duration: 1 }] },
    { status: 'unexpected', results: [{ duration: 1, errors: [{ message: 'Timed out\nat b.ts:1' }] }] },
  ];
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
  const suites = [{ specs: [{ file: 'c.spec.ts', title: 'opens', tests }] }];
  expect(playwrightOutcome(report({ stats, errors: [], suites }), 1).failures).toEqual([
    { file: 'tests/e2e/c.spec.ts', title: 'opens', message: 'Timed out' },
  ]);
});

test('the summary shows the slowest files of each suite, the suites, and at last what failed', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ file: `${index}.test.ts`, tests: 1, ms: index * 1_000 }));
  const failures = Array.from({ length: 7 }, (_, index) => ({ file: 'a.test.ts', title: `${index}`, message: 'No' }));
  const summary = formatSummary([
    { name: 'lint', passed: 1, failed: 0, ms: 1_234, files: [], failures: [] },
    { name: 'unit', passed: 11, failed: 7, ms: 66_000, files, failures },
  ]).split('\n');
  expect(summary.slice(0, 3)).toEqual([
    'slowest of unit  tests  seconds',
    '11.test.ts           1     11.0',
    '10.test.ts           1     10.0',
  ]);
  expect(summary.slice(11, 16)).toEqual([
    '',
    'suite  tests  failed  seconds',
    'lint       1       0      1.2',
    'unit      18       7     66.0',
    '',
  ]);
  expect(summary.slice(16, 19)).toEqual(['failed', 'a.test.ts > 0', '    No']);
  expect(summary.at(-1)).toBe('a.test.ts: 2 more');
  expect(summary.filter((line) => line.startsWith('a.test.ts > '))).toHaveLength(5);
});
