import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs Debian packages unless their programs exist.
 * @param programs the path of a program of each package, by the package's name
 * @throws Error when the command does not run as root, or a package cannot be installed
 */
export function installPackages(programs: Record<string, string>): void {
  if (process.getuid?.() !== 0) throw new Error('The drill needs root: it installs packages and creates networks.');
  const missing = Object.entries(programs).flatMap(([name, program]) => (existsSync(program) ? [] : [name]));
  if (missing.length === 0) return;
  process.stdout.write(`Installing ${missing.join(', ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { env, stdio: 'ignore' });
}

/** Returns the folder of the newest installed PostgreSQL's programs. */
export function findPostgresPrograms(): string {
  const base = '/usr/lib/postgresql';
  const versions = (existsSync(base) ? readdirSync(base) : []).map(Number).filter(Number.isInteger);
  if (versions.length === 0) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return join(base, String(Math.max(...versions)), 'bin');
}
