import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hintCompile } from '@/scripts/build/hint-compile';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkmarket-hint-'));
  mkdirSync(join(folder, 'static'));
  writeFileSync(join(folder, 'static/main.js'), 'run()');
  writeFileSync(join(folder, 'static/dialog.js'), 'open()');
  writeFileSync(join(folder, 'build-manifest.json'), JSON.stringify({ rootMainFiles: ['static/main.js'] }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = (name: string) => readFileSync(join(folder, 'static', name), 'utf8');

describe('the hint for browsers', () => {
  it('stands once before what every page runs, however often a build is made', () => {
    hintCompile(folder);
    hintCompile(folder);
    expect(script('main.js')).toBe('//# allFunctionsCalledOnLoad\nrun()');
  });

  it('is not before what few pages run', () => {
    hintCompile(folder);
    expect(script('dialog.js')).toBe('open()');
  });

  it('is missed loudly when a build names no such scripts', () => {
    writeFileSync(join(folder, 'build-manifest.json'), '{}');
    expect(() => hintCompile(folder)).toThrow(/rootMainFiles/);
  });
});
