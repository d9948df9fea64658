import postgres from 'postgres';
import { env } from '../lib/env';

/** Longer than any statement of a request takes; what may take longer says so (`letTakeLong`). */
const statementMs = 30_000;

/** Opens a pool at DATABASE_URL. @param max connections at most */
export function openPool(max: number): postgres.Sql {
  const { DATABASE_URL, DATABASE_PREPARE } = env();
  return postgres(DATABASE_URL, {
    max,
    prepare: DATABASE_PREPARE === 'on',
    idle_timeout: 60,
    connect_timeout: 10,
    // A transaction pooler refuses to be told; there the role has it (docs/scale.md).
    ...(DATABASE_PREPARE === 'on' && { connection: { statement_timeout: statementMs } }),
    // The driver's own pause grows to 20 seconds, which is how long people would wait after the database came back.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => undefined,
  });
}
