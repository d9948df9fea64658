import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/scripts/process/root';

/**
 * Lists the files of the working tree, including untracked ones, that differ from the merge base with the branch
 * `main`.
 * @throws Error when there is neither a branch `main` nor `origin/main`
 */
export function changedFiles(): string[] {
  const base = ['main', 'origin/main'].map(mergeBase).find((commit) => commit !== undefined);
  if (base === undefined)
    throw new Error('There is no branch main to compare with. Name a suite instead of --changed.');
  const changed = git('diff', '--name-only', '--no-renames', '-z', base);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...changed, ...untracked])];
}

/** Returns the contents of the project's code by path, from the working tree. */
export function readSources(): Map<string, string> {
  const files = git(
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
    '*.ts',
    '*.tsx',
    '*.mjs',
    'tests/api/*.json',
  );
  const sources = new Map<string, string>();
  for (const file of files) {
    try {
      sources.set(file, readFileSync(join(projectRoot, file), 'utf8'));
    } catch (error) {
      // Deleted in the working tree, but not yet in the index.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return sources;
}

function mergeBase(branch: string): string | undefined {
  try {
    return execFileSync('git', ['merge-base', 'HEAD', branch], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return output.split('\0').filter((path) => path !== '');
}
