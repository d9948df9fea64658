import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { databaseTlsSettings, env } from '../lib/env';
import { resolveDatabaseTls } from '../lib/network/database-tls';

/** Longer than any statement of a request takes. Other statements call `extendStatementTimeout`. */
const statementMs = 30_000;

/**
 * Opens connections to a database. The only place that decides how its server is verified (docs/deploy.md).
 * @throws Error when the address has an unknown sslmode, or its sslrootcert cannot be read
 */
export function connect(url: string, options: postgres.Options<Record<string, never>>): postgres.Sql {
  const address = resolveDatabaseTls(url, databaseTlsSettings(), (path) => readFileSync(path, 'utf8'));
  return postgres(address.url, { ...options, ssl: address.ssl, onnotice: () => undefined });
}

/** Opens a pool for DATABASE_URL. @param max the maximum number of connections */
export function openPool(max: number): postgres.Sql {
  const { DATABASE_URL, DATABASE_PREPARE } = env();
  return connect(DATABASE_URL, {
    max,
    prepare: DATABASE_PREPARE === 'on',
    idle_timeout: 60,
    connect_timeout: 10,
    // A transaction pooler refuses this parameter; there the role sets it (docs/scale.md).
    ...(DATABASE_PREPARE === 'on' && { connection: { statement_timeout: statementMs } }),
    // The driver's default backoff grows to 20 seconds, which delays requests after the database is back.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
  });
}
