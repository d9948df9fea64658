import { resolve } from 'node:path';
import type { Lifetime } from '@/scripts/process/lifetime';
import { loadDotEnv } from '@/scripts/process/load-dot-env';
import { openDatabase } from './database';
import { loadDemoSecrets } from './secrets';

/**
 * Sets the environment for access to the app's database through `lib/`: that of the installation or, without
 * DATABASE_URL, of the demo under DATA_DIR.
 */
export async function useEnvironment(lifetime: Lifetime): Promise<void> {
  loadDotEnv();
  if (process.env.DATABASE_URL) return;
  const dataDir = resolve(process.env.DATA_DIR || '.data');
  const { NEXTAUTH_SECRET, SECRET_KEYS } = await loadDemoSecrets(dataDir);
  const database = await openDatabase(lifetime, dataDir);
  Object.assign(process.env, { APP_ENV: 'demo', DATA_DIR: dataDir, NEXTAUTH_SECRET, SECRET_KEYS, ...database });
}
