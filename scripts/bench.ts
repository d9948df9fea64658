import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from './postgres/start';
import { runCommand } from './process/lifetime';

/**
 * `npm run bench`: speed as ratios to baselines measured in the same run, on a database of its own. It prints; it
 * asserts nothing, because a busy machine is no defect.
 */
runCommand(async (lifetime) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'linkmarket-bench-'));
  await lifetime.own(Promise.resolve(dataDir), (folder) => rmSync(folder, { recursive: true, force: true }));
  const server = await lifetime.own(startPostgres(dataDir), (postgres) => postgres.stop());
  await migrateDatabase(server.adminUrl);
  Object.assign(process.env, {
    APP_ENV: 'test',
    DATABASE_URL: server.appUrl,
    MIGRATION_DATABASE_URL: server.adminUrl,
    DATABASE_POOL_MAX: '32',
    DATA_DIR: dataDir,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  // Imported only now: what it imports reads the environment.
  const { benchLedger } = await import('../tests/bench/ledger');
  const { closeDb } = await import('@/db/client');
  const rows = await lifetime.own(benchLedger(), () => closeDb());
  const two = (value: number) => value.toFixed(2);
  console.table(
    rows.map(({ what, rate, baseline, ratio, bar }) => ({
      what,
      'a second': Math.round(rate),
      'bare UPDATE': Math.round(baseline),
      ratio: two(ratio),
      'aimed at': two(bar),
    })),
  );
  await lifetime.end(0);
});
