import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkLockFile } from '@/scripts/dependencies/check-lock-file';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../..', file), 'utf8'));
const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(read('package.json'));

const sound = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
const problemsOf = (name: string, values: object, isInstalled = true) =>
  checkLockFile(
    { packages: { '': {}, [`node_modules/${name}`]: { ...sound, ...values } } },
    () => isInstalled,
    allowScripts,
  ).problems;

describe('the lock file', () => {
  it.each(['package-lock.json', 'tests/bench/lighthouse/package-lock.json'])('%s is accepted', (file) => {
    expect(checkLockFile(read(file), () => false, allowScripts).problems).toEqual([]);
  });

  it.each<[what: string, name: string, values: object, problem: RegExp]>([
    ['another registry', 'a', { resolved: 'https://evil.example/a.tgz' }, /does not come from the npm registry/],
    ['a git address', 'a', { resolved: 'git+ssh://git@github.com/a/a.git#1' }, /does not come from the npm registry/],
    ['a link into the file system', 'a', { link: true }, /does not come from the npm registry/],
    ['no checksum', 'a', { integrity: undefined }, /no sha512 checksum/],
    ['an old checksum', 'a', { integrity: 'sha1-abc' }, /no sha512 checksum/],
    ['a script on installing', 'a', { hasInstallScript: true }, /runs a script .* not in allowScripts/],
    ['a deprecated version', 'a', { deprecated: 'Use b.' }, /deprecated: Use b\./],
    ['a copyleft licence', 'a', { license: 'GPL-3.0-only' }, /has the license GPL-3\.0-only/],
    ['a copyleft and a permissive licence', 'a', { license: 'MIT AND AGPL-3.0' }, /has the license/],
    ['no licence', 'a', { license: undefined }, /has the license unknown/],
    [
      'the name of a reviewed package with another licence',
      'axe-core',
      { license: 'GPL-2.0' },
      /has the license GPL-2\.0/,
    ],
  ])('may not have %s', (_, name, values, problem) => {
    expect(problemsOf(name, values)).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[what: string, name: string, values: object]>([
    ['a choice of licences', 'a', { license: '(GPL-3.0 OR MIT)' }],
    ['several free licences', 'a', { license: 'MIT AND Zlib' }],
    ["npm's registry", 'a', { resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' }],
    ['a binary that is put into place', 'esbuild', { hasInstallScript: true }],
    ['libvips', '@img/sharp-libvips-linux-x64', { license: 'LGPL-3.0-or-later' }],
  ])('may have %s', (_, name, values) => {
    expect(problemsOf(name, values)).toEqual([]);
  });

  it('allows no package an install script without approval, and npm refuses all others', () => {
    const packages = z.object({
      packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
    });
    const withScript = Object.entries(packages.parse(read('package-lock.json')).packages)
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
    const npmrc = readFileSync(resolve(import.meta.dirname, '../../../.npmrc'), 'utf8');
    expect(npmrc).toMatch(/^strict-allow-scripts=true$/m);
  });

  it("may lack a checksum only for another platform's package that was never fetched", () => {
    const elsewhere = { integrity: undefined, optional: true, os: ['darwin'] };
    expect(problemsOf('a-darwin', elsewhere, false)).toEqual([]);
    expect(problemsOf('a-darwin', elsewhere, true)).toHaveLength(1);
    expect(problemsOf('a-darwin', { ...elsewhere, os: undefined }, false)).toHaveLength(1);
  });
});
