import { expect, test } from 'vitest';
import { parseArguments } from '@/scripts/testing/arguments';
import { lanes, suites } from '@/scripts/testing/suites';

const everySuite = suites.map(({ name }) => name);

test.each<[line: string, expected: Partial<ReturnType<typeof parseArguments>>]>([
  ['', { suites: everySuite, passed: [], isChanged: false, isFull: false }],
  ['--changed', { suites: everySuite, passed: [], isChanged: true }],
  ['domain --changed', { suites: ['domain'], passed: [], isChanged: true }],
  ['unit lint', { suites: ['lint', 'unit'], passed: [] }],
  ['e2e --project=desktop --shard=1/2', { suites: ['e2e'], passed: ['--project=desktop', '--shard=1/2'] }],
  ['domain tests/domain/a.test.ts -t title', { passed: ['tests/domain/a.test.ts', '-t', 'title'], isFull: false }],
  ['e2e tests/e2e/a.full.spec.ts', { suites: ['e2e'], passed: ['tests/e2e/a.full.spec.ts'], isFull: true }],
])('npm test -- %s', (line, expected) => {
  expect(parseArguments(line.split(' ').filter(Boolean))).toMatchObject(expected);
});

test('a word that is no suite is refused when no suite is named', () => {
  expect(() => parseArguments(['domian', 'tests/domain/a.test.ts'])).toThrow(/^Unknown suite domian; use lint, /);
});

test('each suite is in one lane', () => {
  expect(lanes.flatMap(({ names }) => names).sort()).toEqual(everySuite.toSorted());
});
