import { migrateDatabase } from '@/db/migrate';
import { databaseTlsSettings } from '@/lib/env';
import { databaseTlsProblem, describeCertificateError } from '@/lib/network/database-tls';
import { runCommand } from './process/lifetime';
import { loadDotEnv } from './process/load-dot-env';
import { openDatabase } from './services/database';

/**
 * `npm run db:migrate`: migrates MIGRATION_DATABASE_URL, DATABASE_URL or the embedded database to the newest schema.
 */
runCommand(async (lifetime) => {
  loadDotEnv();
  const { MIGRATION_DATABASE_URL } = await openDatabase(lifetime, process.env.DATA_DIR || '.data');
  const variable = process.env.MIGRATION_DATABASE_URL ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  const isProduction = (process.env.APP_ENV || 'production') === 'production';
  const problem = isProduction && databaseTlsProblem(variable, MIGRATION_DATABASE_URL, databaseTlsSettings());
  if (problem) throw new Error(problem);
  await migrateDatabase(MIGRATION_DATABASE_URL).catch((error: unknown) => {
    throw toReadableError(error);
  });
  process.stdout.write('The database schema is up to date.\n');
  await lifetime.end(0);
});

/** PostgreSQL's SQLSTATE "insufficient_privilege". */
const insufficientPrivilege = '42501';

/** Converts errors that operators can resolve to messages without a stack; returns others unchanged. */
function toReadableError(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === insufficientPrivilege) {
    return new Error(
      'This role cannot change the schema. Set MIGRATION_DATABASE_URL to the role that owns the database. Nothing was changed.',
    );
  }
  const advice = describeCertificateError(cause);
  if (cause instanceof Error && advice) return new Error(`The database cannot be used: ${cause.message}. ${advice}`);
  const isUnreachable = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|28\w{3}|3D000)$/.test(code);
  if (!(cause instanceof Error) || !isUnreachable) return error;
  const reason = 'errors' in cause ? code : cause.message;
  return new Error(
    `The database cannot be used: ${reason}. Check MIGRATION_DATABASE_URL, or DATABASE_URL if it is not set.`,
  );
}
