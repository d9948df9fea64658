import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

it('every file that SECURITY.md names exists', () => {
  const policy = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const named = [...policy.matchAll(/`((?:tests|lib)\/[\w*/.-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(25);
  // Without the extension, or with * for several files.
  const isThere = (path: string) => {
    const folder = join(root, dirname(path));
    const start = basename(path).replace('*', '');
    return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(start));
  };
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
