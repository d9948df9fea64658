import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { databaseTlsSettings, env } from '@/lib/env';
import { resolveDatabaseTls } from '@/lib/network/database-tls';
import { createPrimarySocket, listHostErrors } from './primary-socket';

type Options = postgres.Options<Record<string, never>>;

/** Longer than any statement of a request takes. Other statements call `extendStatementTimeout`. */
const statementMs = 30_000;

/**
 * Opens connections to a database. The only place that decides how its server is verified (docs/database.md). With
 * several hosts each connection goes to the one that accepts writes (docs/database.md, Failover).
 * @throws Error when the address has an unknown sslmode, or its sslrootcert cannot be read
 */
export function connect(url: string, options: Options): postgres.Sql {
  const address = resolveDatabaseTls(url, databaseTlsSettings(), (path) => readFileSync(path, 'utf8'));
  const common = { ...options, ssl: address.ssl, onnotice: refuseUnconfirmedCommit };
  if (!address.isPrimaryRequired) return postgres(address.url, common);
  const socket = createPrimarySocket(address.hosts, createProbe(address.url, common));
  return postgres(address.url, { ...common, ...{ socket } });
}

/**
 * Asks every server of an address with several hosts whether it can be used.
 * @returns the errors of those that cannot
 */
export async function listFailingHosts(url: string): Promise<Error[]> {
  const address = resolveDatabaseTls(url, databaseTlsSettings(), (path) => readFileSync(path, 'utf8'));
  if (!address.isPrimaryRequired) return [];
  return listHostErrors(address.hosts, createProbe(address.url, { ssl: address.ssl }));
}

const createProbe = (url: string, common: Options) => (socket: unknown, connectSeconds: number) =>
  postgres(url, {
    ...common,
    ...{ socket, max: 1, fetch_types: false, connect_timeout: connectSeconds, connection: {} },
  });

/** Opens a pool for DATABASE_URL. @param max the maximum number of connections */
export function openPool(max: number): postgres.Sql {
  return connect(env().DATABASE_URL, poolOptions(max, 10));
}

/** Opens a pool for one replica (db/replicas.ts). Another server is read instead of one that cannot be reached. */
export function openReadPool(url: string, max: number): postgres.Sql {
  return connect(url, poolOptions(max, 2));
}

function poolOptions(max: number, connectSeconds: number): Options {
  const { DATABASE_PREPARE } = env();
  return {
    max,
    prepare: DATABASE_PREPARE === 'on',
    idle_timeout: 60,
    connect_timeout: connectSeconds,
    // A transaction pooler refuses these parameters; there the role sets them (docs/database.md).
    ...(DATABASE_PREPARE === 'on' && { connection: { statement_timeout: statementMs, jit: 'off' } }),
    // The driver's default backoff grows to 20 seconds, which delays requests after the database is back.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
  };
}

/**
 * Refuses an unconfirmed commit. With synchronous replication, a commit whose wait for a standby is canceled
 * (pg_cancel_backend) is reported as successful, with this warning: the transaction may be lost with the server. The
 * driver rejects the current statement with an error that is thrown here. The warning is recognized by the function
 * that sends it, because its text depends on lc_messages.
 */
function refuseUnconfirmedCommit(notice: postgres.Notice): void {
  if (notice.routine !== 'SyncRepWaitForLSN') return;
  throw Object.assign(new Error('No standby has confirmed the commit.'), { code: transactionResolutionUnknown });
}

const transactionResolutionUnknown = '08007';
