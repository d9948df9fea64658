import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playwrightOutcome, singleOutcome, vitestOutcome } from '../../../scripts/testing/outcome';

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

test('a skipped test and a file that cannot be read count as failed', () => {
  const testResults = [
    { status: 'passed', assertionResults: tests('passed', 'passed', 'pending') },
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: tests('passed', 'failed') },
  ];
  expect(vitestOutcome(report({ testResults }), 1)).toEqual({ passed: 3, failed: 3 });
});

test('a suite that ends badly never counts as passed', () => {
  expect(vitestOutcome(report({ testResults: [] }), 1)).toEqual({ passed: 0, failed: 1 });
  expect(vitestOutcome(join(folder, 'none.json'), 1)).toEqual({ passed: 0, failed: 1 });
  expect(playwrightOutcome(join(folder, 'none.json'), null)).toEqual({ passed: 0, failed: 1 });
  expect(singleOutcome(null)).toEqual({ passed: 0, failed: 1 });
});

test('browser tests: flaky, skipped and broken ones are failures', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
  expect(playwrightOutcome(report({ stats, errors: [{}] }), 1)).toEqual({ passed: 4, failed: 4 });
});
