import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './root';

/** Reads `.env` of the project, as `next start` does; what is set already stays. For production commands only. */
export function loadDotEnv(): void {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
