import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectRoot } from './root';

/** Loads the project's `.env`, like `next start`; set variables are kept. For production commands only. */
export function loadDotEnv(): void {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Returns empty values for the variables of `.env` files. Next.js loads these files automatically, and the demo and the
 * tests must not send mail or store files with real credentials. It does not override a variable that is set, even to
 * an empty string.
 */
export function withoutDotEnv(): Record<string, string> {
  const files = [
    '.env',
    '.env.local',
    '.env.production',
    '.env.production.local',
    '.env.development',
    '.env.development.local',
  ];
  const contents = files.map((file) => join(projectRoot, file)).filter((file) => existsSync(file));
  const names = contents.flatMap((file) => Object.keys(parseEnv(readFileSync(file, 'utf8'))));
  return Object.fromEntries(names.filter((name) => process.env[name] === undefined).map((name) => [name, '']));
}
