import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of a build, without scripts, tests and the sandbox. */
const files = ['next.config.ts', 'package-lock.json', 'postcss.config.mjs', 'middleware.ts', 'instrumentation.ts'];
const folders = ['app', 'components', 'db', 'lib', 'patches', 'public'];

/** Hashes the names and contents of all files that `next build` reads, so that a build is repeated only when needed. */
export function sourceHash(root: string): string {
  const hash = createHash('sha256');
  for (const name of [...files, ...folders.flatMap((folder) => filesIn(root, folder))]) {
    const path = join(root, name);
    if (!existsSync(path)) continue;
    const content = readFileSync(path);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
