import { describe, expect, it } from 'vitest';
import { listNearestTests } from '@/scripts/testing/affected-tests';
import { drawSample, listMutants } from '@/scripts/testing/mutants';

const changesOf = (source: string) => listMutants('lib/x.ts', `${source}\n`).map(({ change }) => change);

describe('the mutants of', () => {
  it.each([
    ['a comparison', 'const a = b < c;', ['const a = b [< → <=] c;']],
    ['an equality', 'const a = b === c;', ['const a = b [=== → !==] c;']],
    ['a concatenation', "const a = b + '';", []],
    ['a constant', 'const a = 7;', ['const a = [7 → 8];']],
    ['a default', 'const a = b ?? c;', ['const a = [b ?? c → c];']],
    ['a call', 'await requireFlag(a);', ['[await requireFlag(a); → ;]']],
    ['a condition', 'if (a) b = c;', ['if ([a → false]) b = c;']],
    ['both sides', 'const a = b && c;', ['const a = [b && c → b];', 'const a = [b && c → c];']],
    ['a list of texts', "const a = ['b', 'c'];", ["const a = [['b' → 'c'], 'c'];", "const a = ['b', ['c' → 'b']];"]],
    ['SQL', 'const a = sql`b <= c`;', ['const a = sql`b [<= → <] c`;']],
    ['a type', "type A = B extends 'c' ? 1 : 2;", []],
  ])('%s', (_, source, changes) => {
    expect(changesOf(source)).toEqual(changes);
  });

  it('a query drop each condition', () => {
    expect(changesOf('const a = and(eq(b, c), d);')).toEqual([
      'const a = and([eq(b, c) → undefined], d);',
      'const a = and([eq → drizzle.ne](b, c), d);',
      'const a = and(eq(b, c), [d → undefined]);',
    ]);
  });
});

it('a mutant keeps the lines of its file', () => {
  const [mutant] = listMutants('lib/x.ts', 'const a = 1;\nconst b = a;\n');
  expect(mutant).toMatchObject({ file: 'lib/x.ts', line: 1 });
  expect(mutant?.source.split('\n')[0]).toMatch(/const a = 2;$/);
});

it('a sample depends on the seed, and keeps the order', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const sample = drawSample(items, 10, 1);
  expect(sample).toHaveLength(10);
  expect(sample).toEqual([...sample].sort((one, other) => one - other));
  expect(drawSample(items, 10, 1)).toEqual(sample);
  expect(drawSample(items, 10, 2)).not.toEqual(sample);
});

it('the nearest tests come first, and of these the ones with the most ways to the file', () => {
  const sources = new Map([
    ['lib/a.ts', ''],
    ['lib/b.ts', "import './a'"],
    ['lib/c.ts', "import './a'"],
    ['tests/api/direct.test.ts', "import '@/lib/a'"],
    ['tests/domain/one-way.test.ts', "import '@/lib/b'"],
    ['tests/domain/two-ways.test.ts', "import '@/lib/b'; import '@/lib/c'"],
    ['tests/domain/other.test.ts', ''],
    ['tests/unit/direct.test.ts', "import '@/lib/a'"],
  ]);
  expect(listNearestTests('lib/a.ts', sources)).toEqual([
    'tests/unit/direct.test.ts',
    'tests/domain/two-ways.test.ts',
    'tests/domain/one-way.test.ts',
  ]);
});
