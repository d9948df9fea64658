import { migrateDatabase } from '@/db/migrate';
import { runCommand } from './process/lifetime';
import { loadDotEnv } from './process/load-dot-env';
import { openDatabase } from './services/database';

/** `npm run db:migrate`: brings MIGRATION_DATABASE_URL, DATABASE_URL or the embedded database to the newest schema. */
runCommand(async (lifetime) => {
  loadDotEnv();
  const { MIGRATION_DATABASE_URL } = await openDatabase(lifetime, process.env.DATA_DIR || '.data');
  await migrateDatabase(MIGRATION_DATABASE_URL);
  process.stdout.write('The database has the newest schema.\n');
  await lifetime.end(0);
});
