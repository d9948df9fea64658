import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sourceHash } from '@/scripts/build/source-hash';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'linkmarket-sources-'));
  mkdirSync(join(root, 'app', 'user'), { recursive: true });
  writeFileSync(join(root, 'app', 'user', 'page.tsx'), 'one');
  writeFileSync(join(root, 'package-lock.json'), '{}');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['a changed file', () => writeFileSync(join(root, 'app', 'user', 'page.tsx'), 'two')],
  ['a new file', () => writeFileSync(join(root, 'app', 'layout.tsx'), '')],
  ['a removed file', () => rmSync(join(root, 'app', 'user', 'page.tsx'))],
  ['other packages', () => writeFileSync(join(root, 'package-lock.json'), '{"a":1}')],
  ['another configuration', () => writeFileSync(join(root, 'next.config.ts'), '')],
])('%s requires a new build', (_, change) => {
  const before = sourceHash(root);
  change();
  expect(sourceHash(root)).not.toBe(before);
});

test('tests, scripts and the clock require no new build', () => {
  const before = sourceHash(root);
  mkdirSync(join(root, 'tests'));
  writeFileSync(join(root, 'tests', 'a.test.ts'), 'new');
  writeFileSync(join(root, 'app', 'user', 'page.tsx'), 'one');
  expect(sourceHash(root)).toBe(before);
});
