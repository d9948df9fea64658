import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectRoot } from './root';

/** Reads `.env` of the project, as `next start` does; what is set already stays. For production commands only. */
export function loadDotEnv(): void {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Empty values for what `.env` files would add: Next.js reads them by itself, and the demo and the tests must not send
 * mail or store files with the keys of a real installation. A variable that is set, even to nothing, is not read there.
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
